import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {startServer} from './proxy-server.ts';

/** Registries of npm, pip, cargo and Go on loopback, each with the package `inkpod-leaf` 1.0.0. */
export type Registries = {
	/** The configuration files of the tools that use them, by their path in the home folder. */
	readonly configs: Readonly<Record<string, string>>;
	/** The paths that were asked for. */
	readonly asked: string[];
};

export async function startRegistries(): Promise<Registries> {
	const top = mkdtempSync(join(tmpdir(), 'inkpod-r-'));
	onTestFinished(async () => rm(top, {recursive: true, force: true}));
	const asked: string[] = [];
	let answers: Readonly<Record<string, string | Buffer>> = {};
	const {url} = await startServer(({url: path = ''}, response) => {
		asked.push(path);
		const answer = answers[decodeURIComponent(path.split('?', 1)[0] ?? '')];
		response.writeHead(answer === undefined ? 404 : 200, {'content-type': typeOf(path)});
		response.end(answer ?? '');
	});
	answers = {...npm(top, url), ...pip(top), ...cargo(top, url), ...go(top)};
	return {
		asked,
		configs: {
			'.npmrc': `registry=${url}/npm/\n`,
			'.config/pip/pip.conf': `[global]\nindex-url = ${url}/simple/\ndisable-pip-version-check = true\n`,
			'.cargo/config.toml': `[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+${url}/cargo/"\n`,
			'.config/go/env': `GOPROXY=${url}/go\nGOSUMDB=off\nGOFLAGS=-modcacherw\n`,
		},
	};
}

function typeOf(path: string): string {
	if (path.startsWith('/simple/')) return 'text/html';
	return path.startsWith('/npm/') ? 'application/json' : 'application/octet-stream';
}

type Answers = Readonly<Record<string, string | Buffer>>;
const name = 'inkpod-leaf';

/** Packs the files of a folder with their paths: those of a tar archive begin with the folder. */
function archive(top: string, folder: string, files: Readonly<Record<string, string>>, type: 'tar' | 'zip'): Buffer {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(top, folder, path)), {recursive: true});
		writeFileSync(join(top, folder, path), text);
	}
	const file = join(top, `${folder}.${type}`);
	if (type === 'tar') execFileSync('tar', ['-czf', file, folder], {cwd: top});
	else execFileSync('python3', ['-c', zip, file, ...Object.keys(files)], {cwd: join(top, folder)});
	return readFileSync(file);
}

/** The module `zipfile` would add entries for folders, which Go refuses. */
const zip = 'import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], "w")\nfor n in sys.argv[2:]: z.write(n)\nz.close()';

function npm(top: string, url: string): Answers {
	const facts = {name, version: '1.0.0', main: 'index.js'};
	const files = {'package.json': JSON.stringify(facts), 'index.js': 'module.exports = 7;\n'};
	const bytes = archive(top, 'package', files, 'tar');
	const dist = {
		tarball: `${url}/npm/${name}/-/${name}-1.0.0.tgz`,
		integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
	};
	const document = {name, 'dist-tags': {latest: '1.0.0'}, versions: {'1.0.0': {...facts, dist}}};
	return {[`/npm/${name}`]: JSON.stringify(document), [`/npm/${name}/-/${name}-1.0.0.tgz`]: bytes};
}

/** A wheel with one module. */
const wheelFiles = {
	'inkpod_leaf.py': 'VALUE = 7\n',
	'inkpod_leaf-1.0.0.dist-info/METADATA': `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`,
	'inkpod_leaf-1.0.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
	'inkpod_leaf-1.0.0.dist-info/RECORD': 'inkpod_leaf.py,,\ninkpod_leaf-1.0.0.dist-info/METADATA,,\n',
};

function pip(top: string): Answers {
	const wheel = 'inkpod_leaf-1.0.0-py3-none-any.whl';
	const bytes = archive(top, 'wheel', wheelFiles, 'zip');
	const hash = createHash('sha256').update(bytes).digest('hex');
	return {
		[`/simple/${name}/`]: `<!DOCTYPE html><a href="../../wheels/${wheel}#sha256=${hash}">${wheel}</a>`,
		[`/wheels/${wheel}`]: bytes,
	};
}

function cargo(top: string, url: string): Answers {
	const manifest = `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n`;
	const files = {'Cargo.toml': manifest, 'src/lib.rs': 'pub const VALUE: u32 = 7;\n'};
	const bytes = archive(top, `${name}-1.0.0`, files, 'tar');
	const cksum = createHash('sha256').update(bytes).digest('hex');
	const entry = {name, vers: '1.0.0', deps: [], cksum, features: {}, yanked: false};
	return {
		'/cargo/config.json': JSON.stringify({dl: `${url}/crates`}),
		[`/cargo/in/kp/${name}`]: `${JSON.stringify(entry)}\n`,
		[`/crates/${name}/1.0.0/download`]: bytes,
	};
}

function go(top: string): Answers {
	const module = `example.com/${name}`;
	const at = `/go/${module}/@v`;
	const mod = `module ${module}\n`;
	const own = `${module}@v1.0.0`;
	const files = {[`${own}/go.mod`]: mod, [`${own}/leaf.go`]: 'package leaf\n\nconst Value = 7\n'};
	const info = JSON.stringify({Version: 'v1.0.0', Time: '2026-01-01T00:00:00Z'});
	return {
		[`${at}/list`]: 'v1.0.0\n',
		[`/go/${module}/@latest`]: info,
		[`${at}/v1.0.0.info`]: info,
		[`${at}/v1.0.0.mod`]: mod,
		[`${at}/v1.0.0.zip`]: archive(top, 'module', files, 'zip'),
	};
}
