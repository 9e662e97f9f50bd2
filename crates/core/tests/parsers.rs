//! Every parser of the core takes any text: an answer or an error, never a panic, and what it reads it writes.

use fogtree_core::record::Record;
use fogtree_core::{Key, Observation, Purpose, Rng, Seed, Spec};

const ROUNDS: u32 = 20_000;

/// A text made by changing some characters of another.
fn mangled(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let odd: Vec<char> = "()[]{}=,:.\"'\\\t\n 019afzZ-+\u{0}\u{e9}\u{1f600}".chars().collect();
    for _ in 0..=rng.below(6) {
        let at = rng.below(chars.len() as u32 + 1) as usize;
        match rng.below(3) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 if at < chars.len() => chars[at] = *rng.pick(&odd),
            _ => chars.insert(at, *rng.pick(&odd)),
        }
    }
    chars.into_iter().collect()
}

#[test]
fn specifications_survive_anything() {
    let mut rng = Seed(1).stream(Purpose::Ties);
    let (mut read, samples) =
        (0, ["nim", "a(b=c,d=[1,2;3,4])", "pimc(search=uct(c=0.7),determinizations=40)"]);
    for i in 0..ROUNDS {
        let text = mangled(samples[i as usize % samples.len()], &mut rng);
        if let Ok(spec) = text.parse::<Spec>() {
            read += 1;
            assert_eq!(spec.to_string().parse(), Ok(spec), "{text}");
        }
    }
    assert!(read > 1000, "only {read} texts were specifications");
}

#[test]
fn observations_and_keys_survive_anything() {
    let mut rng = Seed(2).stream(Purpose::Ties);
    for _ in 0..ROUNDS {
        let text = mangled("1f.0.ffffffffffffffff", &mut rng);
        if let Ok(seen) = text.parse::<Observation>() {
            assert_eq!(seen.to_string().parse(), Ok(seen));
        }
        if let Ok(key) = mangled("c44465095333f525619b9626ac6234b9", &mut rng).parse::<Key>() {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
    }
}

#[test]
fn records_survive_anything() {
    let header = r#"{"format":"fogtree-record","version":1,"game":"nim","agents":["a","b"],"seed":7}"#;
    let key = "c44465095333f525619b9626ac6234b9";
    let text = format!(
        "{header}\n{{\"moves\":[[0,\"a1\"]],\"key\":\"{key}\"}}\n{{\"chance\":\"x\",\"key\":\"{key}\"}}\n{{\"rewards\":[1.0,0.0]}}\n"
    );
    let whole = Record::from_lines(&text).unwrap();
    assert_eq!(whole.to_lines(), text);
    let mut rng = Seed(3).stream(Purpose::Ties);
    for _ in 0..ROUNDS {
        let text = mangled(&text, &mut rng);
        for part in Record::split(&text) {
            if let Ok(record) = Record::from_lines(part) {
                assert_eq!(Record::from_lines(&record.to_lines()).unwrap(), record);
            }
        }
    }
}

/// A process may be killed in the middle of any byte: all whole lines before it are still read.
#[test]
fn a_record_cut_anywhere_keeps_its_whole_lines() {
    let header = r#"{"format":"fogtree-record","version":1,"game":"nim","agents":[],"seed":7}"#;
    let step = r#"{"moves":[[0,"a1"]],"key":"c44465095333f525619b9626ac6234b9"}"#;
    let text = format!("{header}\n{step}\n{step}\n{step}\n");
    for end in header.len() + 1..text.len() {
        let whole = text[..end].matches('\n').count() - 1;
        let record = Record::from_lines(&text[..end]).unwrap();
        assert!(record.steps.len() >= whole && record.rewards.is_none(), "cut at {end}");
    }
}
