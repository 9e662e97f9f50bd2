//! Files that somebody names: read in full, but never more than was reckoned with, and written whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes a file that appears when it is complete: it is written under another name beside it and renamed. If
/// that fails, what was there before is still there. Only regular files are replaced: a link is followed, and
/// what is written to a device or a pipe goes there at once.
pub fn write_whole(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), String> {
    let path = path.as_ref();
    let written = followed(path).and_then(|target| match fs::metadata(&target) {
        Ok(there) if !there.is_file() => write_in_place(&target, content),
        _ => replace(&target, content),
    });
    written.map_err(|why| format!("cannot write {}: {why}", path.display()))
}

/// Where a chain of links ends, whether there is something or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Longer chains of links are not followed.
const MOST_LINKS: usize = 40;

fn write_in_place(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::options().write(true).open(path)?);
    content(&mut out)?;
    out.flush()
}

fn replace(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    remove_stale(folder, name);
    let (part, file) = new_part(folder, name)?;
    // Told to those who look for what killed programs left. Where files cannot be locked, age alone tells.
    let _ = file.try_lock();
    let mut out = BufWriter::new(file);
    let written =
        content(&mut out).and_then(|()| out.into_inner()?.sync_all()).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
        return written;
    }
    sync_folder(folder)
}

/// A new file beside the one of this name. Its name is random: programs in different containers may have the
/// same process number.
fn new_part(folder: &Path, name: &OsStr) -> io::Result<(PathBuf, File)> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let mut part = name.to_os_string();
        part.push(format!(".{number:016x}.part"));
        let part = folder.join(part);
        match File::create_new(&part) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((part, made?)),
        }
    }
}

/// A part that nobody has written to for so long, and nobody holds, was left by a program that was killed.
const STALE: Duration = Duration::from_secs(3600);

/// Removes the parts of a file that killed programs left. What cannot be removed does no harm.
fn remove_stale(folder: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let middle = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let middle = middle.and_then(|rest| rest.strip_prefix(b"."));
        let middle = middle.and_then(|rest| rest.strip_suffix(b".part"));
        if !middle.is_some_and(|m| !m.is_empty() && m.iter().all(u8::is_ascii_hexdigit)) {
            continue;
        }
        let old = |file: &File| {
            let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
            Ok::<_, io::Error>(age > STALE && file.try_lock().is_ok())
        };
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && File::open(entry.path()).is_ok_and(|file| old(&file).unwrap_or(false))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a rename last through a loss of power.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
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
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("fogtree-files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_is_left_alone() {
        let directory = folder("whole");
        let path = directory.join("a");
        write_whole(&path, |out| out.write_all(b"one")).unwrap();
        let full = |out: &mut BufWriter<File>| {
            out.write_all(b"two")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        assert!(write_whole(&path, full).unwrap_err().contains("cannot write"));
        assert_eq!(read_text(&path, 10).unwrap(), "one");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "nothing half-written is left");
        fs::remove_dir_all(&directory).unwrap();
    }

    /// Parts with the names that the same process number gives are nobody's but their writer's; those that
    /// were left long ago are removed.
    #[test]
    fn parts_of_others_do_not_matter() {
        let directory = folder("parts");
        let path = directory.join("a");
        let part = |middle: &str| directory.join(format!("a.{middle}.part"));
        let (recent, mine) = (part(&std::process::id().to_string()), part("mine"));
        let (stale, held) = (part("1f"), part("2f"));
        let old = std::time::SystemTime::now() - 2 * STALE;
        for file in [&recent, &mine, &stale, &held] {
            fs::write(file, "").unwrap();
        }
        for file in [&mine, &stale, &held] {
            File::options().write(true).open(file).unwrap().set_modified(old).unwrap();
        }
        let writer = File::open(&held).unwrap();
        writer.lock().unwrap();
        write_whole(&path, |out| out.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(recent.exists() && mine.exists() && held.exists() && !stale.exists());
        fs::remove_dir_all(&directory).unwrap();
    }

    /// Many writers of one file at a time: it is always one of theirs, and nothing is left beside it.
    #[test]
    fn writers_do_not_destroy_each_other() {
        let directory = folder("writers");
        let path = directory.join("a");
        std::thread::scope(|scope| {
            for writer in 0..8_u8 {
                let path = &path;
                scope.spawn(move || {
                    (0..20).for_each(|_| write_whole(path, |out| out.write_all(&[writer; 999])).unwrap());
                });
            }
        });
        let content = fs::read(&path).unwrap();
        assert!(content.len() == 999 && content.iter().all(|&b| b == content[0]));
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_replaced() {
        use std::os::unix::fs::{FileTypeExt as _, symlink};
        let directory = folder("special");
        let (target, link, dangling) = (directory.join("t"), directory.join("l"), directory.join("d"));
        fs::write(&target, "old").unwrap();
        symlink("t", &link).unwrap();
        symlink("new", &dangling).unwrap();
        for (link, target) in [(&link, &target), (&dangling, &directory.join("new"))] {
            write_whole(link, |out| out.write_all(b"one")).unwrap();
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            assert_eq!(fs::read(target).unwrap(), b"one");
        }
        symlink("circle", directory.join("circle")).unwrap();
        assert!(write_whole(directory.join("circle"), |_| Ok(())).unwrap_err().contains("links"));

        let pipe = directory.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_whole(&pipe, |out| out.write_all(b"one")).unwrap();
        assert_eq!(reader.join().unwrap(), b"one");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        fs::remove_dir_all(&directory).unwrap();
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
