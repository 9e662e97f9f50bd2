//! Files that somebody names: read in full, but never more than was reckoned with, and written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Read};
use std::path::Path;

/// Writes a file that appears when it is complete: it is written under another name beside it and renamed. If
/// that fails, what was there before is still there.
pub fn write_whole(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), String> {
    let path = path.as_ref();
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = File::create_new(&part).and_then(|file| {
        let mut out = BufWriter::new(file);
        content(&mut out)?;
        out.into_inner()?.sync_all()?;
        std::fs::rename(&part, path)
    });
    written.map_err(|why| {
        // If there is nothing to remove there is nothing half-written either.
        let _ = std::fs::remove_file(&part);
        format!("cannot write {}: {why}", path.display())
    })
}

/// The text of a file of at most so many bytes, or why there is none. Devices and folders are refused: a device
/// may have no end.
pub fn read_text(path: impl AsRef<Path>, most_bytes: u64) -> Result<String, String> {
    let bytes = read_bytes(path, most_bytes)?;
    String::from_utf8(bytes).map_err(|e| format!("byte {} is not UTF-8 text", e.utf8_error().valid_up_to()))
}

/// The bytes of a file, likewise, for formats that do not promise UTF-8.
pub fn read_bytes(path: impl AsRef<Path>, most_bytes: u64) -> Result<Vec<u8>, String> {
    let path = path.as_ref();
    let cannot = |e: std::io::Error| format!("it cannot be read ({e})");
    if !std::fs::metadata(path).map_err(cannot)?.is_file() {
        return Err("it is not a file".to_string());
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(most_bytes + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > most_bytes {
        let most = if most_bytes < 1 << 20 {
            format!("{} kB", most_bytes >> 10)
        } else {
            format!("{} MB", most_bytes >> 20)
        };
        return Err(format!("it is larger than {most}"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{read_text, write_whole};

    #[test]
    fn a_file_that_cannot_be_written_whole_is_left_alone() {
        let directory = std::env::temp_dir().join(format!("fogtree-files-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("a");
        write_whole(&path, |out| out.write_all(b"one")).unwrap();
        let full = |out: &mut std::io::BufWriter<std::fs::File>| {
            out.write_all(b"two")?;
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        };
        assert!(write_whole(&path, full).unwrap_err().contains("cannot write"));
        assert_eq!(read_text(&path, 10).unwrap(), "one");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "nothing half-written is left");
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn only_files_that_end_are_read() {
        let own = read_text(file!().rsplit("crates/core/").next().unwrap(), 1 << 20).unwrap();
        assert!(own.contains("fn only_files_that_end_are_read"));
        assert!(read_text("src", 1 << 20).unwrap_err().contains("not a file"));
        assert!(read_text("no/such/file", 1 << 20).unwrap_err().contains("cannot be read"));
        assert!(read_text("Cargo.toml", 10).unwrap_err().contains("larger than"));
        #[cfg(unix)]
        assert!(read_text("/dev/zero", 1 << 20).unwrap_err().contains("not a file"));
    }
}
