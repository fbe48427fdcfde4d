"""Writes what the Go tokenizer takes from the one it must equal.

    python3 gen.py TOKENIZER_JSON

vocab/fold.txt: what the normaliser and the pre-tokenizer make of each code
point; testdata/golden.jsonl: ids and spans of the texts that stand in it.
Needs the package tokenizers (0.23.3 made the files here).
"""

import json
import pathlib
import re
import sys

from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Marks that normalisation puts into another order: the ids do not depend on it,
# but the Python package loses track of where they stood.
REORDERED = {"\u302e", "\U0001d165", "\U0001d16d"}
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic


def kind(tok, c):
    """What becomes of the character c: a kind, and the text it turns into."""
    out = tok.normalizer.normalize_str(c)
    if out == "":
        return "drop", c
    if out == " ":
        return "space", c
    if out[0] == " ":
        return "cjk", out[1:-1]
    pieces = {len(tok.pre_tokenizer.pre_tokenize_str("a" + x + "a")) for x in out}
    if pieces == {1}:
        return "word", out
    if pieces == {3} and len(out) == 1:
        return "punct", out
    raise SystemExit(f"U+{ord(c):04X}: no one kind: {out!r}")


def fold(tok):
    """Ranges of code points that are treated alike; unchanged word characters
    are left out."""
    rows = []
    for cp in range(0x110000):
        if 0xD800 <= cp < 0xE000:
            continue
        k, out = ("hangul", chr(cp)) if cp in HANGUL else kind(tok, chr(cp))
        if out != chr(cp):
            rows.append([k, cp, cp, *map(ord, out)])
        elif k != "word":
            if rows and rows[-1][0] == k and rows[-1][2] == cp - 1 and len(rows[-1]) == 3:
                rows[-1][2] = cp
            else:
                rows.append([k, cp, cp])
    head = "# kind, first and last code point, text it turns into; made by gen.py\n"
    return head + "".join(" ".join([k, *(f"{n:X}" for n in r)]) + "\n" for k, *r in rows)


def golden(tok, name, text):
    e = tok.encode(text, add_special_tokens=False)
    at = [0]
    for c in text:
        at.append(at[-1] + len(c.encode()))
    spans = [[at[a], at[b]] for a, b in e.offsets]
    return {
        "name": name,
        "text": text,
        "ids": e.ids,
        "spans": None if REORDERED & set(text) else spans,
        "camel": tok.encode(CAMEL.sub(" ", text), add_special_tokens=False).ids,
    }


def main():
    tok = Tokenizer.from_file(sys.argv[1])
    tok.no_truncation()
    tok.no_padding()
    (HERE / "vocab/fold.txt").write_text(fold(tok), encoding="ascii")
    path = HERE / "testdata/golden.jsonl"
    texts = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    path.write_text("".join(json.dumps(golden(tok, t["name"], t["text"])) + "\n" for t in texts))


main()
