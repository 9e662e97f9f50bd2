//! Inference beside searches that do not infer themselves: the key `infer`.

use fogtree_core::{BadSpec, Params};

use super::Family;

/// The family with the search beside it that the parameters ask for, if they do.
pub(super) fn beside(family: Family, params: &Params) -> Result<Family, BadSpec> {
    let draws_worlds = matches!(
        family,
        Family::Policy(_)
            | Family::FlatMc(..)
            | Family::Plans(_)
            | Family::Pimc(..)
            | Family::OneTree(_)
            | Family::PimcMinimax(..)
            | Family::IsExpectimax(..)
            | Family::Ismcts(_)
            | Family::BsMcts(_)
            | Family::IsMcts(_)
    );
    if !draws_worlds || params.text("infer") == "off" {
        return Ok(family);
    }
    let iterations = params.number("infer", 1..=1_000_000_000_000);
    let iterations = iterations
        .map_err(|_| params.bad("infer", "off, or how many iterations the search has that infers"))?;
    match family {
        Family::Policy(None) => Err(params.bad("infer", "off, if moves are drawn without a world")),
        Family::PimcMinimax(_, belief) | Family::IsExpectimax(_, belief) if belief.model.is_some() => {
            Err(params.bad("infer", "off, if a model says which worlds are possible"))
        }
        Family::IsMcts(settings) if settings.beliefs => {
            Err(params.bad("infer", "off, if it tracks beliefs of its own (beliefs=yes)"))
        }
        family => Ok(Family::Believing(Box::new(family), iterations)),
    }
}
