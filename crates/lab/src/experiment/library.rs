//! The published experiments, one file each under `experiments/`, built into the program.

use super::file::ExperimentFile;

/// The files by name.
pub static FILES: &[(&str, &str)] =
    &[("ismcts-E22", include_str!("../../../../experiments/ismcts-E22.toml"))];

/// A published experiment.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its id in the specifications, as in `ismcts/E22`.
    pub id: String,
    /// The text of its file.
    pub text: &'static str,
    /// What the file says.
    pub file: ExperimentFile,
}

/// All published experiments, by id.
///
/// # Panics
/// If a file that was built in cannot be read, which a test rules out.
pub fn published() -> Vec<Published> {
    let read = |&(name, text): &(&str, &'static str)| {
        let file = ExperimentFile::read(text).unwrap_or_else(|why| panic!("experiments/{name}.toml: {why}"));
        Published { id: name.replacen('-', "/", 1), text, file }
    };
    FILES.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every file of the folder is built in, says where it was published, what is claimed, and has both scales.
    #[test]
    fn every_file_is_built_in_and_complete() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let built_in: Vec<&str> = FILES.iter().map(|f| f.0).collect();
        assert_eq!(built_in, names);
        for Published { id, file, .. } in published() {
            assert!(file.source.is_some(), "{id} has no source");
            assert!(!file.claims.is_empty(), "{id} claims nothing");
            assert!(file.scales.contains_key("quick") && file.scales.contains_key("full"), "{id}: scales");
        }
    }
}
