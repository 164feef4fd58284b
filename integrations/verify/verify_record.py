#!/usr/bin/env python3
"""Checks records of inkpod, histories and bundles, as docs/record-format.md describes them.
Exit code: 0 if all records are intact, 1 if one is not, 2 for wrong arguments or a missing ssh-keygen."""
import argparse, gzip, hashlib, json, mmap, os, re, shutil, subprocess, sys, tempfile

MAX_HEADER, MAX_LINE, MAX_HISTORY, MAX_MARKS, MAX_DEPTH = 65536, 128 << 20, 1 << 30, 2_000_000, 250
MAX_TAR, MAX_UNZIPPED, MAX_ENTRIES, MAX_SIGNATURES, MAX_CHECKS = 4 << 30, 40 << 20, 100_000, 16 << 20, 1000
TYPES = set("message reasoning tool_call tool_result setup request request_end run_end compaction rewind context "
            "child_started child_ended title mode redaction".split())
KEPT = set("type id request usage endedAt stop to op ids callId partialOf firstKept role head child".split())
SUM, CHECK = re.compile(rb',"sum":"([0-9a-f]{32})"\}'), re.compile(rb',"check":"([0-9a-f]{8})"\Z')
ULID, END = "[0-9A-HJKMNP-TV-Z]{26}", re.compile(rb"\]\}(?:[\]} \t\n\v\f\r\xa0]{0,62}|[ \t\r\n]*)\Z")
ARMOR = re.compile("-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9_+/=\n]+-----END SSH SIGNATURE-----\n")

class Bad(Exception):
    """Why a record is not intact, as a sentence."""

def sha256(*parts):
    return hashlib.sha256(b"".join(parts) if len(parts) > 1 else parts[0]).hexdigest()

def parse(data):
    if sum(data.count(mark) for mark in (b"[", b"{", b",", b":")) > MAX_MARKS:
        raise Bad("A line has too many brackets, commas and colons.")
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=int, parse_int=float)
        return value if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None

def check_item(data, item, ids):
    identity, kind = item.get("id"), item.get("type")
    if {type(one) for one in (identity, kind, item.get("at"))} != {str} or kind not in TYPES or identity in ids:
        raise Bad("An item has no id, time or known type, or its id occurs twice: %s." % str(identity)[:40])
    level = [item] if data.count(b"[") + data.count(b"{") > MAX_DEPTH else []
    for _ in range(MAX_DEPTH):
        level = [one for each in level for one in getattr(each, "values", each.__iter__)() if type(one) in (dict, list)]
    if level or b"\\u" in data and re.search("[\ud800-\udbff]", json.dumps(item, ensure_ascii=False)):
        raise Bad("The item %s has more than %d levels, or half a character." % (identity[:40], MAX_DEPTH))

def check_header(line):
    value = parse(line + b"]}") if line.endswith(b',"items":[') and len(line) < MAX_HEADER else None
    texts = value and {type(value[key]) for key in ("session", "cwd", "created")} == {str}
    if not texts or value["format"] != "inkpod.history/1":
        raise Bad("The header cannot be read, or has another format.")
    check, plain = CHECK.search(line[:-10]), {"format", "session", "cwd", "created", "fork", "items"}
    if set(value) - plain if check is None else sha256(line[:check.start()], b"}")[:8].encode() != check[1]:
        raise Bad("The header was changed.")
    return value

class History:
    """The items of a history, the sums of their lines, and the failures as (line, sentence)."""
    def __init__(self, data):
        self.items, self.sums, self.failures, self.redacted, self.pending = [], [], [], [], []
        self.redactions, self.ids, self.bare, self.broken, self.closed = {}, set(), False, False, False
        if len(data) > MAX_HISTORY:
            raise Bad("The history is too large.")
        start = 3 if data[:3] == b"\xef\xbb\xbf" else 0
        at = data.find(b"\n", start, start + MAX_HEADER + 1)
        at = min(len(data), start + MAX_HEADER) if at < 0 else at
        self.header = check_header(data[start:at])
        self.expected, number, whole, comma, at = [sha256(data[start:at])[:32]], 1, 1, False, at + 1
        while at < len(data) and not self.closed:
            number, self.closed = number + 1, END.match(data, at) is not None
            end = data.find(b"\n", at, at + MAX_LINE)
            if end < 0 and len(data) - at >= MAX_LINE:
                raise Bad("Line %d is too long." % number)
            end = len(data) if end < 0 else end
            line, is_last, at = data[at:end], end >= len(data) - 1, end + 1
            if line and not self.closed and self.take(line, number, is_last):
                whole, comma = number, line.endswith(b",")
        self.failures = [one for one in self.failures if self.closed or one[0] <= whole]
        if self.closed and comma:
            self.fail(whole, "A comma follows the last item.")
        for number, identity, line_facts, index in self.pending:
            facts, by = self.redactions.get(identity, (None, 0))
            if facts == line_facts and by > index:
                self.redacted.append((number, index, by))
            else:
                self.fail(number, "It was changed, and no later redaction names it as it is.")

    def take(self, line, number, is_last):
        """Takes a line. Returns whether it is whole."""
        found = SUM.match(line, max(0, len(line) - 42 - line.endswith(b",")))
        found = found or SUM.match(line, max(0, line.rfind(b',"sum":"') if is_last else 0))
        was_broken, self.broken = self.broken, found is None or found.start() == 0
        if self.broken:
            return self.fail(number, "It has no sum, or was changed.")
        body, written = line[:found.start()], found[1].decode()
        check = CHECK.search(body, max(0, len(body) - 19))
        fits_check = check is not None and sha256(body[:check.start()], b"}")[:8].encode() == check[1]
        sums = [sha256(before.encode(), b"\n", body, b"}")[:32] for before in self.expected]
        follows, marked = written in sums, fits_check and body.endswith(b',"redacted":true', 0, check.start())
        before, self.expected = self.expected[0], [written] if follows or marked else [written, sums[0]]
        item = parse(body[:check.start() if check else None] + b"}")
        if not follows and not (item and marked):
            self.fail(number, "It was changed, or does not follow the line before it.")
            return item is not None and (fits_check or was_broken)
        if item is None:
            return self.fail(number, "It is not valid JSON.")
        if self.bare or check and not fits_check:
            self.fail(number, "Its check does not fit, or no comma comes before it.")
        self.bare = not line.endswith(b",")
        check_item(body, item, self.ids)
        if not follows:
            self.pending.append((number, item["id"], (before, sha256(line[:found.end()])), len(self.items)))
        for one in item["lines"] if follows and item["type"] == "redaction" else ():
            self.redactions[one["id"]] = ((one["after"], one["newHash"]), len(self.items))
        self.ids.add(item["id"])
        self.items.append({key: value for key, value in item.items() if key in KEPT})
        self.sums.append(written)
        return True

    def fail(self, number, sentence):
        self.failures.append((number, sentence))

def live_items(items):
    ops, live, at, places = {}, [], len(items) - 1, {item["id"]: index for index, item in enumerate(items)}
    while at >= 0:
        item, at = items[at], at - 1
        if item["type"] in ("rewind", "compaction", "context") and ops.get(item["id"]) == "restore":
            continue
        to = places.get(item["to"], at + 1) if item["type"] == "rewind" else at
        if to > at:
            continue
        for one in item["ids"] if item["type"] == "context" else ():
            ops.setdefault(one, item["op"])
        live.append(item)
        at = to
    return live[::-1], ops

def pair_problems(items):
    sent, (live, ops) = set(), live_items(items)
    for item in items:
        if item["type"] == "request_end" and item["request"] not in sent:
            yield "The request_end %s has no request." % item["id"]
        sent.discard(item.get("request"))
        sent.update([item["id"]] if item["type"] == "request" and "endedAt" not in item else [])
    open_calls, waiting, dropped, first, answer, places, ends, last = set(), {}, set(), 0, 0, {}, [-1, -1], {}
    calls = {item["id"] for item in live if item["type"] == "tool_call"}
    for at, item in enumerate(live):
        kind = item["type"]
        is_end = kind == "request_end" or kind == "request" and {"usage", "endedAt", "stop"} <= set(item)
        if kind == "tool_call":
            if waiting.get(item["callId"], (-1,))[0] != answer:
                waiting[item["callId"]] = (answer, [])
            waiting[item["callId"]][1].append(at)
            open_calls.add(at)
        elif kind == "tool_result":
            queue = [] if "partialOf" in item else waiting.get(item["callId"], (0, []))[1]
            call = next((one for one in queue if one >= first and live[one]["id"] not in dropped), None)
            if call is not None:
                open_calls.remove(queue.pop(queue.index(call)))
            elif item.get("partialOf") not in calls:
                yield "The tool_result %s has no call." % item["id"]
        elif kind == "context":
            (dropped.update if item["op"] == "drop" else dropped.difference_update)(item["ids"])
        elif kind == "compaction":
            first = max(first, at if item["firstKept"] == item["id"] else places.get(item["firstKept"], 0))
        answer += kind in ("request", "request_end", "run_end", "rewind")
        ends += [at] if is_end else []
        places[item["id"]] = last[kind, is_end or item.get("role") or item.get("op")] = at
    late = max(ends[-2], last.get(("request", None), -1), last.get(("message", "user"), -1))
    for at in sorted(open_calls) if late > last.get(("context", "restore"), -1) else ():
        if last.get(("compaction", None), -1) < at < late and ops.get(live[at]["id"]) != "drop":
            yield "The tool_call %s was never answered." % live[at]["id"]

def signed_items(history, data, signers, known={}):
    best, by, checks = 0, None, 0
    for line in reversed(data.split(b"\n")):
        try:
            one = json.loads(line.decode("utf-8", "replace"))
            key = (one["session"], one["count"], one["head"], one["signature"], signers)
            is_one = type(key[1]) is int and re.fullmatch("[0-9a-f]{32}", key[2]) and ARMOR.fullmatch(key[3])
            is_one = is_one and key[1] > 0 and len(key[3]) <= 16384 and len(one["at"] + "") <= 40
        except (ValueError, RecursionError, TypeError, LookupError):
            continue
        fits = is_one and history.sums[key[1] - 1:key[1]] == [key[2]]
        if not is_one or key[0] != history.header["session"] or fits and key[1] <= best:
            continue
        if key not in known and checks < MAX_CHECKS:
            checks, known[key] = checks + 1, signer_of(*key)
        if known.get(key) and not fits:
            raise Bad("%d items were signed, and the history does not begin with these items." % key[1])
        best, by = (key[1], known[key]) if known.get(key) else (best, by)
    if by is None or len(data) > MAX_SIGNATURES:
        raise Bad("It has no accepted signature, or signatures.jsonl is too large.")
    if any(index < best <= redaction for _, index, redaction in history.redacted):
        raise Bad("A signed line was redacted, and no accepted signature covers the redaction.")
    return best, by

def signer_of(session, count, head, armor, signers):
    message = ("inkpod.record/1\n%s\n%d\n%s\n" % (session, count, head)).encode()
    with tempfile.NamedTemporaryFile(buffering=0) as file:
        file.write(armor.encode())
        command, quiet = ["ssh-keygen", "-f", signers, "-s", file.name, "-Y"], {"stderr": subprocess.DEVNULL}
        found = subprocess.run(command + ["find-principals"], input=b"", stdout=subprocess.PIPE, **quiet).stdout
        for name in filter(None, found.decode("utf-8", "replace").split("\n")[:16]):
            verify = command + ["verify", "-n", "inkpod.record", "-I", name]
            if subprocess.run(verify, input=message, stdout=subprocess.DEVNULL, **quiet).returncode == 0:
                return name

def read_tar(data):
    entries, at, long_name = {}, 0, None
    while data[at:at + 512].strip(b"\0"):
        head, start = data[at:at + 512], at + 512
        size, check = (re.fullmatch(rb" *([0-7]{1,12})[\0 ]*", head[a:b]) for a, b in ((124, 136), (148, 156)))
        if not size or not check or int(check[1], 8) != sum(head[:148]) + 256 + sum(head[156:]):
            raise Bad("The header at byte %d was changed, or this is not a tar archive." % at)
        size, kind = int(size[1], 8), head[156:157]
        at, content = start + (size + 511) // 512 * 512, memoryview(data)[start:start + size]
        if head[257:263] != b"ustar\0" or at > len(data) or data[start + size:at].strip(b"\0"):
            raise Bad("The entry at byte %d was changed." % start)
        if kind == b"x":
            record = re.fullmatch(rb"(\d{1,6}) path=([^\n\0]+)\n", content[:8192])
            if long_name or record is None or int(record[1]) != size:
                raise Bad("The header at byte %d is not allowed." % start)
            long_name = record[2].decode("utf-8", "replace")
            continue
        name, prefix = (head[a:b].split(b"\0")[0].decode("utf-8", "replace") for a, b in ((0, 100), (345, 500)))
        name = long_name or (prefix + "/" if prefix else "") + name
        parts = name.split("/") if re.fullmatch(r"[\w./-]{1,1000}", name, re.ASCII) else [""]
        if kind not in (b"0", b"\0") or {"", ".", ".."} & set(parts) or name in entries or len(entries) >= MAX_ENTRIES:
            raise Bad("The entry %r is not allowed." % name[:200])
        entries[name], long_name = content, None
    if not 1024 <= len(data) - at <= 1 << 20 or len(data) % 512 or data[at:].strip(b"\0"):
        raise Bad("The archive is cut off, or bytes follow its end.")
    return entries

def bundle_files(data):
    entries = read_tar(data)
    root = next((name[:-13] for name in entries if re.fullmatch(ULID + "/manifest.json", name)), "")
    text, written = (bytes(entries.get(root + "manifest." + end, b"")[:64 << 20]) for end in ("json", "sha256"))
    manifest = parse(text)
    if written != sha256(text).encode() + b"  manifest.json\n" or not manifest:
        raise Bad("The manifest is missing, or was changed.")
    listed = {root + one["name"]: (one["bytes"], one["sha256"]) for one in manifest["files"]}
    facts = manifest["format"], manifest["version"], manifest["session"] + "/", len(manifest["files"])
    if facts != ("inkpod-bundle", 1, root, len(listed)):
        raise Bad("The manifest has another format, version or session, or names a file twice.")
    for name in set(entries) ^ set(listed) ^ {root + "manifest.json", root + "manifest.sha256"}:
        raise Bad("The manifest and the archive disagree about %s." % name)
    for name, facts in listed.items():
        if (len(entries[name]), sha256(entries[name])) != facts:
            raise Bad("The file %s was changed." % name)
    return {name[len(root):]: entries[name] for name in listed}, root[:-1]

def read(path):
    with open(path, "rb") as file:
        is_zipped = file.peek(2)[:2] == b"\x1f\x8b"
        data = (gzip.GzipFile(fileobj=file).read(MAX_UNZIPPED + 1) if is_zipped else
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.fstat(file.fileno()).st_size else b"")
    if len(data) > (MAX_UNZIPPED if is_zipped else MAX_TAR):
        raise Bad("The file is too large.")
    return data

def check_record(path, signers):
    if path.endswith(".json"):
        folder, files = os.path.dirname(os.path.abspath(path)), {"history.json": read(path)}
        session, signatures = os.path.basename(folder), os.path.join(folder, "signatures.jsonl")
        files.update({"signatures.jsonl": read(signatures)} if os.path.exists(signatures) else {})
    else:
        files, session = bundle_files(read(path))
    histories, words = {}, []
    for name in sorted(name for name in files if os.path.basename(name) == "history.json"):
        one = histories[name] = History(bytes(files[name][:MAX_HISTORY + 1]))
        folder = os.path.basename(os.path.dirname(name)) or session
        failures = ["line %d: %s" % each for each in sorted(one.failures)] + list(pair_problems(one.items))
        if re.fullmatch(ULID, folder) and one.header["session"] != folder:
            failures.append("The header names another session.")
        if failures:
            raise Bad("%s: %s" % (name, " ".join(failures[:20])))
        words += ["%s: the end is unfinished" % name] * (not one.closed)
        words += ["%s, line %d: redacted, its text is not proven" % (name, each[0]) for each in one.redacted]
    main = histories["history.json"]
    for item in filter(lambda one: one.get("head"), main.items):
        child, count = histories.get("children/%s/history.json" % item["child"]), int(item["head"]["items"])
        if child and child.sums[count - 1:max(count, 0)] != [item["head"]["chain"]]:
            raise Bad("The child %s is not the one that ended." % item["child"])
    if signers:
        count, name = signed_items(main, bytes(files.get("signatures.jsonl", b"")[:MAX_SIGNATURES + 1]), signers)
        words.append("%d signed by %s, %d not signed" % (count, name, len(main.sums) - count))
    return "; ".join(["intact, %d items, head %s" % (len(main.sums), main.expected[0]), *words])

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signers", metavar="FILE", help="accepted signers, in the format of allowed_signers")
    parser.add_argument("--list", metavar="FILE", help="a file with a path on each line", type=argparse.FileType("r"))
    parser.add_argument("paths", metavar="PATH", nargs="*", help="a history.json or a bundle")
    options, code = parser.parse_args(), 0
    if options.signers and not (shutil.which("ssh-keygen") and os.access(options.signers, os.R_OK)):
        parser.error("--signers needs ssh-keygen and a file that can be read")
    for path in options.paths + (options.list.read().splitlines() if options.list else []):
        try:
            print(ascii("%s: %s" % (path, check_record(path, options.signers)))[1:-1])
        except Exception as problem:
            code, kind = 1, "" if isinstance(problem, Bad) else "It has not the form of a record: "
            print(ascii("%s: NOT INTACT. %s%s" % (path, kind, problem))[1:-1])
    return code

if __name__ == "__main__": sys.exit(main())
