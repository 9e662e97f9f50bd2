//! The published experiments, one file each under `experiments/`, built into the program.

use super::file::ExperimentFile;

/// The files by name.
pub static FILES: &[(&str, &str)] = &[
    ("equilibrium-E1", include_str!("../../../../experiments/equilibrium-E1.toml")),
    ("equilibrium-E10", include_str!("../../../../experiments/equilibrium-E10.toml")),
    ("equilibrium-E11", include_str!("../../../../experiments/equilibrium-E11.toml")),
    ("equilibrium-E12", include_str!("../../../../experiments/equilibrium-E12.toml")),
    ("equilibrium-E13", include_str!("../../../../experiments/equilibrium-E13.toml")),
    ("equilibrium-E14", include_str!("../../../../experiments/equilibrium-E14.toml")),
    ("equilibrium-E15", include_str!("../../../../experiments/equilibrium-E15.toml")),
    ("equilibrium-E2", include_str!("../../../../experiments/equilibrium-E2.toml")),
    ("equilibrium-E3", include_str!("../../../../experiments/equilibrium-E3.toml")),
    ("equilibrium-E4", include_str!("../../../../experiments/equilibrium-E4.toml")),
    ("equilibrium-E5", include_str!("../../../../experiments/equilibrium-E5.toml")),
    ("equilibrium-E6", include_str!("../../../../experiments/equilibrium-E6.toml")),
    ("equilibrium-E7", include_str!("../../../../experiments/equilibrium-E7.toml")),
    ("equilibrium-E8", include_str!("../../../../experiments/equilibrium-E8.toml")),
    ("equilibrium-E9", include_str!("../../../../experiments/equilibrium-E9.toml")),
    ("gdl-4.9", include_str!("../../../../experiments/gdl-4.9.toml")),
    ("gdl-E1", include_str!("../../../../experiments/gdl-E1.toml")),
    ("gdl-E1b", include_str!("../../../../experiments/gdl-E1b.toml")),
    ("gdl-E2", include_str!("../../../../experiments/gdl-E2.toml")),
    ("gdl-E3", include_str!("../../../../experiments/gdl-E3.toml")),
    ("gdl-E4", include_str!("../../../../experiments/gdl-E4.toml")),
    ("gdl-E5", include_str!("../../../../experiments/gdl-E5.toml")),
    ("icarus-2.5", include_str!("../../../../experiments/icarus-2.5.toml")),
    ("icarus-4.2.14", include_str!("../../../../experiments/icarus-4.2.14.toml")),
    ("icarus-EXP-7.0", include_str!("../../../../experiments/icarus-EXP-7.0.toml")),
    ("icarus-EXP-7.1", include_str!("../../../../experiments/icarus-EXP-7.1.toml")),
    ("icarus-EXP-7.2", include_str!("../../../../experiments/icarus-EXP-7.2.toml")),
    ("icarus-EXP-7.3", include_str!("../../../../experiments/icarus-EXP-7.3.toml")),
    ("icarus-EXP-7.4", include_str!("../../../../experiments/icarus-EXP-7.4.toml")),
    ("icarus-EXP-7.5", include_str!("../../../../experiments/icarus-EXP-7.5.toml")),
    ("icarus-EXP-7.6", include_str!("../../../../experiments/icarus-EXP-7.6.toml")),
    ("icarus-EXP-7.7", include_str!("../../../../experiments/icarus-EXP-7.7.toml")),
    ("icarus-EXP-8.1", include_str!("../../../../experiments/icarus-EXP-8.1.toml")),
    ("icarus-EXP-8.2", include_str!("../../../../experiments/icarus-EXP-8.2.toml")),
    ("icarus-EXP-8.3", include_str!("../../../../experiments/icarus-EXP-8.3.toml")),
    ("icarus-EXP-8.7", include_str!("../../../../experiments/icarus-EXP-8.7.toml")),
    ("icarus-EXP-8.8", include_str!("../../../../experiments/icarus-EXP-8.8.toml")),
    ("icarus-EXP-P.1", include_str!("../../../../experiments/icarus-EXP-P.1.toml")),
    ("icarus-EXP-P.2", include_str!("../../../../experiments/icarus-EXP-P.2.toml")),
    ("icarus-EXP-P.3", include_str!("../../../../experiments/icarus-EXP-P.3.toml")),
    ("icarus-auto", include_str!("../../../../experiments/icarus-auto.toml")),
    ("icarus-beyond", include_str!("../../../../experiments/icarus-beyond.toml")),
    ("ismcts-E1", include_str!("../../../../experiments/ismcts-E1.toml")),
    ("ismcts-E10", include_str!("../../../../experiments/ismcts-E10.toml")),
    ("ismcts-E11", include_str!("../../../../experiments/ismcts-E11.toml")),
    ("ismcts-E12", include_str!("../../../../experiments/ismcts-E12.toml")),
    ("ismcts-E13", include_str!("../../../../experiments/ismcts-E13.toml")),
    ("ismcts-E14", include_str!("../../../../experiments/ismcts-E14.toml")),
    ("ismcts-E15", include_str!("../../../../experiments/ismcts-E15.toml")),
    ("ismcts-E16", include_str!("../../../../experiments/ismcts-E16.toml")),
    ("ismcts-E17", include_str!("../../../../experiments/ismcts-E17.toml")),
    ("ismcts-E18", include_str!("../../../../experiments/ismcts-E18.toml")),
    ("ismcts-E19", include_str!("../../../../experiments/ismcts-E19.toml")),
    ("ismcts-E2", include_str!("../../../../experiments/ismcts-E2.toml")),
    ("ismcts-E20", include_str!("../../../../experiments/ismcts-E20.toml")),
    ("ismcts-E22", include_str!("../../../../experiments/ismcts-E22.toml")),
    ("ismcts-E23", include_str!("../../../../experiments/ismcts-E23.toml")),
    ("ismcts-E24", include_str!("../../../../experiments/ismcts-E24.toml")),
    ("ismcts-E25", include_str!("../../../../experiments/ismcts-E25.toml")),
    ("ismcts-E26", include_str!("../../../../experiments/ismcts-E26.toml")),
    ("ismcts-E27", include_str!("../../../../experiments/ismcts-E27.toml")),
    ("ismcts-E28", include_str!("../../../../experiments/ismcts-E28.toml")),
    ("ismcts-E29", include_str!("../../../../experiments/ismcts-E29.toml")),
    ("ismcts-E3", include_str!("../../../../experiments/ismcts-E3.toml")),
    ("ismcts-E30", include_str!("../../../../experiments/ismcts-E30.toml")),
    ("ismcts-E4", include_str!("../../../../experiments/ismcts-E4.toml")),
    ("ismcts-E5", include_str!("../../../../experiments/ismcts-E5.toml")),
    ("ismcts-E6", include_str!("../../../../experiments/ismcts-E6.toml")),
    ("ismcts-E7", include_str!("../../../../experiments/ismcts-E7.toml")),
    ("ismcts-E8", include_str!("../../../../experiments/ismcts-E8.toml")),
    ("ismcts-E9", include_str!("../../../../experiments/ismcts-E9.toml")),
    ("tubstap-E1", include_str!("../../../../experiments/tubstap-E1.toml")),
    ("tubstap-E2", include_str!("../../../../experiments/tubstap-E2.toml")),
    ("tubstap-E3", include_str!("../../../../experiments/tubstap-E3.toml")),
    ("tubstap-E4", include_str!("../../../../experiments/tubstap-E4.toml")),
    ("tubstap-E5", include_str!("../../../../experiments/tubstap-E5.toml")),
    ("tubstap-E6", include_str!("../../../../experiments/tubstap-E6.toml")),
    ("tubstap-E7", include_str!("../../../../experiments/tubstap-E7.toml")),
    ("tubstap-E8", include_str!("../../../../experiments/tubstap-E8.toml")),
    ("tubstap-E9", include_str!("../../../../experiments/tubstap-E9.toml")),
    ("tubstap-E9-ablation", include_str!("../../../../experiments/tubstap-E9-ablation.toml")),
];

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

    /// Every file of the folder is built in, says where it was published, what is claimed, and has both scales; or it
    /// names tests that exist.
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
            for test in &file.tests {
                let (path, name) = test.split_once("::").unwrap();
                let text = std::fs::read_to_string(format!("{folder}/../{path}")).unwrap();
                assert!(text.contains(&format!("#[test]\nfn {name}()")), "{id}: no test {test}");
            }
            if !file.tests.is_empty() {
                continue;
            }
            assert!(!file.claims.is_empty(), "{id} claims nothing");
            assert!(file.scales.contains_key("quick") && file.scales.contains_key("full"), "{id}: scales");
        }
    }
}
