/**
Loaded into the program before it starts. It appends a line to the file in RECORDED_WRITES for each frame on the
terminal and for each write to a file beside the history: `{at, what}`.
*/
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';

const {appendFileSync, openSync, writeSync, ftruncateSync, renameSync} = fs;
const {rename, unlink} = fs.promises;
const write = process.stdout.write.bind(process.stdout);
const logs = new Set();

function record(what) {
	appendFileSync(process.env.RECORDED_WRITES, `${JSON.stringify({at: performance.now(), what})}\n`);
}

function recordFile(path) {
	const [, what] = /(?:^|\/)(queue|draft)\.json$/.exec(String(path)) ?? [];
	if (what !== undefined) record(what);
}

fs.openSync = (path, ...rest) => {
	const fd = openSync(path, ...rest);
	if (String(path).endsWith('/stream.log')) logs.add(fd);
	return fd;
};
fs.writeSync = (fd, ...rest) => {
	if (logs.has(fd)) record('stream');
	return writeSync(fd, ...rest);
};
fs.ftruncateSync = (fd, ...rest) => {
	if (logs.has(fd)) record('emptied');
	ftruncateSync(fd, ...rest);
};
fs.renameSync = (from, to) => {
	recordFile(to);
	renameSync(from, to);
};
fs.promises.rename = async (from, to) => {
	recordFile(to);
	await rename(from, to);
};
fs.promises.unlink = async path => {
	recordFile(path);
	await unlink(path);
};
process.stdout.write = (data, ...rest) => {
	if (String(data).includes('\x1b[?2026h')) record('frame');
	return write(data, ...rest);
};
syncBuiltinESMExports();
