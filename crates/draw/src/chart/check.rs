//! What every picture must be; for tests.

/// The texts of a picture, in order, as they are read.
pub(crate) fn texts(svg: &str) -> Vec<String> {
    let text = |part: &str| {
        part.split_once('>').and_then(|(_, rest)| rest.split_once("</text>")).map(|t| t.0.to_string())
    };
    let read = |t: String| {
        t.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    };
    svg.split("<text ").skip(1).filter_map(text).map(read).collect()
}

/// Elements are closed, all numbers are numbers, and everything lies on the sheet, texts with their whole
/// length.
pub(crate) fn assert_well_formed(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    let elements = || svg.lines().filter(|line| line.starts_with('<') && !line.starts_with("</svg"));
    let view = number_list(attribute(svg, "viewBox").expect("a sheet"));
    let (width, height) = (view[2], view[3]);
    // The first two are the sheet and its ground.
    for element in elements().skip(2) {
        let inside = |x: f64, y: f64| {
            assert!(
                x >= -0.1 && x <= width + 0.1 && y >= -0.1 && y <= height + 0.1,
                "({x}, {y}) in {element}"
            );
        };
        let number = |name: &str| attribute(element, name).map(|n| n.parse::<f64>().expect(element));
        for (x, y) in [("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")] {
            if let (Some(x), Some(y)) = (number(x), number(y)) {
                inside(x, y);
            }
        }
        if let (Some(x), Some(y), Some(w), Some(h)) =
            (number("x"), number("y"), number("width"), number("height"))
        {
            assert!(w >= 0.0 && h >= 0.0, "{element}");
            inside(x + w, y + h);
        }
        if let Some(points) = attribute(element, "points") {
            let points = number_list(points);
            assert!(points.len() >= 4 && points.len().is_multiple_of(2), "{element}");
            points.chunks(2).for_each(|p| inside(p[0], p[1]));
        }
        if element.starts_with("<text") {
            let (x, y) = (number("x").expect("a place"), number("y").expect("a place"));
            let size = number("font-size").expect("a size");
            let length = crate::text::width(&texts(element).concat(), size as u32);
            let before = match attribute(element, "text-anchor") {
                Some("start") => 0.0,
                Some("middle") => length / 2.0,
                _ => length,
            };
            if element.contains("rotate(-90") {
                inside(x - size, y + before);
                inside(x, y + before - length);
            } else {
                inside(x - before, y - size);
                inside(x - before + length, y);
            }
        }
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn number_list(list: &str) -> Vec<f64> {
    let numbers = list.split([' ', ',']).map(|n| n.parse::<f64>().expect("a number"));
    numbers.inspect(|n| assert!(n.is_finite(), "{list}")).collect()
}
