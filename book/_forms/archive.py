"""The website as one file that opens with one command, wherever Python is: python all-you-need.zip

python book/_forms/archive.py _build/html _build/all-you-need.zip
"""

import argparse
import sys
import zipfile
from pathlib import Path

from site_pages import check_site

STORED = {".png", ".jpg", ".woff2", ".bin", ".gz", ".zip"}  # compressed already


def make(site, out):
    """Pack the site, and the program that serves it from inside the archive; returns the number of files."""
    site, out = Path(site), Path(out)
    files = sorted(path for path in site.rglob("*") if path.is_file())
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.write(Path(__file__).parent / "reader.py", "__main__.py")
        for path in files:
            kind = zipfile.ZIP_STORED if path.suffix in STORED else zipfile.ZIP_DEFLATED
            archive.write(path, f"site/{path.relative_to(site).as_posix()}", kind)
    return len(files)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The website as one file that opens with one command.")
    parser.add_argument("site")
    parser.add_argument("out")
    options = parser.parse_args()
    check_site(options.site)
    count = make(options.site, options.out)
    print(
        (
            f"{count} files, {Path(options.out).stat().st_size / 1e6:.0f} MB. Read it anywhere: python "
            f"{options.out}"
        ),
        file=sys.stderr,
    )
