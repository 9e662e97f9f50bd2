//! Pictures of positions.

use fogtree_draw::{Drawing, Theme, svg};
use pyo3::prelude::*;

use crate::convert::to_python;

/// A picture of a position, as data, as SVG and as text.
///
/// In a notebook it is drawn; `print` shows it as text.
///
/// >>> import fogtree as ft
/// >>> scene = ft.game("connect-four").table(moves="4 4 3").scene()
/// >>> scene.svg().startswith("<svg")
/// True
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Scene(pub(crate) fogtree_core::Scene);

#[pymethods]
impl Scene {
    /// The picture as an SVG document.
    #[pyo3(signature = (*, dark = false))]
    fn svg(&self, dark: bool) -> String {
        let theme = if dark { Theme::Dark } else { Theme::Light };
        svg(&self.0, &Drawing { theme, ..Drawing::default() })
    }

    /// The picture as plain data: zones with tokens.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    pub(crate) fn _repr_svg_(&self) -> String {
        self.svg(false)
    }

    fn __str__(&self) -> String {
        fogtree_core::text::plain(&self.0.to_string())
    }

    fn __repr__(&self) -> String {
        format!("<fogtree.Scene of {} zones>", self.0.zones.len())
    }
}
