//! Folders of this machine that may be looked into: their entries by name, and nothing outside them.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::refusal::Refusal;

/// More entries are not listed.
const MOST_ENTRIES: usize = 1000;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
}

impl Kind {
    fn is(self, found: &Metadata) -> bool {
        match self {
            Kind::File => found.is_file(),
            Kind::Folder => found.is_dir(),
        }
    }
}

/// Whether a name is that of an entry, and no way to anywhere else.
fn is_plain(name: &str) -> bool {
    let fits = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= 255 && !name.starts_with('.') && name.chars().all(fits)
}

/// The entry of a folder with this name. Links are not followed.
pub(crate) fn entry(folder: &Path, name: &str, kind: Kind) -> Result<PathBuf, Refusal> {
    let path = Some(folder.join(name)).filter(|_| is_plain(name));
    let found = path.filter(|path| fs::symlink_metadata(path).is_ok_and(|found| kind.is(&found)));
    found.ok_or_else(|| Refusal::not_found("there is nothing of this name here"))
}

/// The names of the entries of a folder, in order; none if there is no such folder. Links are left out.
pub(crate) fn entries(folder: &Path, kind: Kind) -> Vec<String> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_kind = all.filter(|entry| entry.metadata().is_ok_and(|found| kind.is(&found)));
    let named = of_kind.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = named.filter(|name| is_plain(name)).collect();
    names.sort();
    names.truncate(MOST_ENTRIES);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        let folder = std::env::temp_dir().join(format!("fogtree-folders-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner/run")).unwrap();
        fs::write(folder.join("outside"), "secret").unwrap();
        fs::write(folder.join("inner/record.jsonl"), "").unwrap();
        fs::write(folder.join("inner/.hidden"), "").unwrap();
        let inner = folder.join("inner");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.join("outside"), inner.join("link")).unwrap();
            std::os::unix::fs::symlink(&folder, inner.join("up")).unwrap();
        }
        assert_eq!(entries(&inner, Kind::File), ["record.jsonl"]);
        assert_eq!(entries(&inner, Kind::Folder), ["run"]);
        assert!(entries(&folder.join("nowhere"), Kind::File).is_empty());
        assert_eq!(entry(&inner, "record.jsonl", Kind::File), Ok(inner.join("record.jsonl")));
        assert_eq!(entry(&inner, "run", Kind::Folder), Ok(inner.join("run")));
        let absolute = folder.join("outside").display().to_string();
        let wrong =
            ["../outside", "..", ".", "", "run/../../outside", ".hidden", "a\0b", "link", "run", "C:x"];
        for name in wrong.into_iter().chain([&*absolute, &"x".repeat(300)]) {
            assert!(entry(&inner, name, Kind::File).is_err(), "{name}");
        }
        assert!(entry(&inner, "up", Kind::Folder).is_err() && entry(&inner, "..", Kind::Folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
