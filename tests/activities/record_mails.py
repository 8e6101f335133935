"""`python -m tests.activities.record_mails`: writes the goldens of mails again. Review them in a browser first."""

from tests.activities.sample_mails import SAMPLES
from tests.activities.test_build_mails import GOLDENS, golden_files

if __name__ == "__main__":
    GOLDENS.mkdir(exist_ok=True)
    for name in SAMPLES:
        for path, content in golden_files(name).items():
            path.write_text(content, encoding="utf-8")
