//! Files that somebody names: read in full, but never more than was reckoned with.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The text of a file of at most so many bytes, or why there is none. Devices and folders are refused: a device
/// may have no end.
pub fn read_text(path: impl AsRef<Path>, most_bytes: u64) -> Result<String, String> {
    let path = path.as_ref();
    let cannot = |e: std::io::Error| format!("it cannot be read ({e})");
    if !std::fs::metadata(path).map_err(cannot)?.is_file() {
        return Err("it is not a file".to_string());
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(most_bytes + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > most_bytes {
        return Err(format!("it is larger than {} MB", most_bytes >> 20));
    }
    String::from_utf8(bytes).map_err(|e| format!("byte {} is not UTF-8 text", e.utf8_error().valid_up_to()))
}

#[cfg(test)]
mod tests {
    use super::read_text;

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
