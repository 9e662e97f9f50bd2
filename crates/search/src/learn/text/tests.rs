//! What is read, and what is said of what cannot be.

use super::*;

fn names(mix: &Mix) -> Vec<String> {
    mix.terms().iter().map(|t| format!("{:.2}*{}", t.weight, t.component)).collect()
}

/// The sixteen combinations of Table 8.1.
#[test]
fn the_names_of_the_table_stand_for_combinations() {
    let read = |text: &str| text.parse::<Enhance>().unwrap();
    for (name, written) in [
        ("-", "base"),
        ("E", "base > epic"),
        ("R", "rave"),
        ("ER", "rave > epic"),
        ("M", "mast"),
        ("EM", "base > mast+epic"),
        ("RM", "rave(k=250) > mast(tau=1)"),
        ("ERM", "rave+mast+epic"),
        ("L", "lgrf"),
        ("EL", "lgrf+epic"),
        ("RL", "rave > lgr(forget=yes)"),
        ("ERL", "rave > 0.5*lgrf+0.5*epic"),
        ("ML", "mast+lgrf"),
        ("EML", "2*mast+2*lgrf+2*epic"),
        ("RML", "rave(k=250)>mast+lgrf"),
        ("ERML", "rave > mast+lgrf+epic"),
    ] {
        assert_eq!(read(name), read(written), "{name}");
    }
    assert!(read("-").is_base() && !read("E").is_base());
    assert_eq!(names(&read("ERML").simulate), ["0.33*mast", "0.33*lgrf", "0.33*epic"]);
    assert_eq!(names(&read("ERML").select), ["1.00*rave"]);
}

#[test]
fn operators_bind_as_they_should() {
    let read = |text: &str| text.parse::<Enhance>().unwrap();
    let all = read("0.2*amaf^0.8*base > to-mast > 3*nast(n=3)+1*mast(policy=greedy,explore=all)");
    assert_eq!(all.select.operator, Operator::Maxilinear);
    assert_eq!(names(&all.select), ["0.20*amaf", "0.80*base"]);
    assert_eq!(names(&all.expand), ["1.00*mast"]);
    assert_eq!(names(&all.simulate), ["0.75*nast-3", "0.25*mast"]);
    let vote = read("base|rave > mast|lgrf|epic");
    assert_eq!((vote.select.operator, vote.simulate.operator), (Operator::Majority, Operator::Majority));
    assert_eq!(names(&read("2*mast|1*lgrf|1*epic").simulate), ["0.50*mast", "0.25*lgrf", "0.25*epic"]);
    let few = read("unprune(first=3)^bias > mast");
    assert_eq!(
        (names(&few.select), few.expand),
        (vec!["0.50*unprune".into(), "0.50*bias".into()], Mix::BASE)
    );
    let whole = read("0.25*mast+0.75*base");
    assert_eq!(
        (names(&whole.select), names(&whole.simulate)),
        (
            vec!["0.25*mast".to_string(), "0.75*base".to_string()],
            vec!["0.25*mast".to_string(), "0.75*base".to_string()],
        )
    );
    assert!(read("base > mast").leaves_tree() && read("0*mast+1*base").leaves_tree());
    assert!(!read("rave").leaves_tree() && !read("base > mast > mast").leaves_tree());
}

#[test]
fn what_is_wrong_is_said() {
    for (text, why) in [
        ("mst", "did you mean 'mast'?"),
        ("mast(t=1)", "has no parameter 't'"),
        ("mast(policy=ucb2)", "expected one of ucb1, gibbs, greedy, roulette"),
        ("nast(n=9)", "expected a number from 1 to 8"),
        ("mast+", "a component is missing"),
        ("0.5*mast+lgrf", "either all components have weights or none"),
        ("x*mast", "'x' is not a weight"),
        ("base > rave", "'rave' works only in the tree"),
        ("mast^lgrf", "'mast' has no values"),
        ("a>b>c>d", "at most two '>'"),
        ("mast+lgr^epic", "cannot be mixed"),
        ("0*mast", "above 0"),
        ("EE", "unknown enhancement 'EE'"),
        ("mast+mast+mast+mast+mast+mast+mast", "more than 6"),
        ("base^amaf", "say what the simulation does"),
        ("base|amaf", "say what the simulation does: 'a|b > c'"),
        ("base > base|mast", "'base' has no values in the simulation"),
        ("mast|lgr+epic", "'+', '^' and '|' cannot be mixed"),
        ("mast|", "a component is missing"),
        ("base > unprune", "'unprune' works only in the tree"),
        ("unprune(first=0)", "expected a number from 1 to 1000"),
        ("fuzzy(n=0)", "expected a number from 1 to 8"),
        ("fuzzy(k=0)", "expected a number from 0.01"),
        ("base > fuzzy", "'fuzzy-2' works only in the tree"),
        ("unprune(factor=1)", "expected a number from 1.01 to 100"),
        ("past(least=-1)", "expected a number from 0 to 1000000"),
        ("auto+mast", "'auto' finds out by itself what to use, and stands alone"),
        ("rave > auto", "stands alone"),
        ("base > auto > mast", "stands alone"),
        ("auto > mast", "stands alone"),
        ("mast(policy=ucb1)^auto", "stands alone"),
        ("auto(watch=1)", "expected a number from 0 to 0.9"),
    ] {
        let error = text.parse::<Enhance>().unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}
