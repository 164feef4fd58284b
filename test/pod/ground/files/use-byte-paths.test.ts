import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, it, onTestFinished} from 'vitest';

/** A program in a folder whose path is not UTF-8. It prints what inkpod's functions find there. */
const program = `
const from = process.argv[1];
const {useBytePaths} = await import(from + '/src/pod/ground/files/use-byte-paths.ts');
const lossy = process.cwd();
const isUsed = useBytePaths();
const {createScope} = await import(from + '/src/pod/scope/scope.ts');
const {projectDir} = await import(from + '/src/pod/disk/paths.ts');
const {openFile} = await import(from + '/src/pod/scope/scoped-fs.ts');
const {openDir} = await import(from + '/src/pod/scope/disk-path.ts');
const {openDirHandle} = await import(from + '/src/pod/scope/dir-handle.ts');
const {execa} = await import(from + '/node_modules/execa/index.js');
const {scope} = await createScope({pwd: '.', home: '/'});
const read = async path => {
	const opened = await openFile(scope, path);
	if (!opened.ok) return opened.reason;
	const text = await opened.handle.readFile('utf8');
	await opened.handle.close();
	return text;
};
const dir = await openDir(scope, '.');
const handle = await openDirHandle(scope.pwd, scope.pwd + '/sub', true);
const named = dir.entries.find(({name}) => name.startsWith('n'));
console.log(JSON.stringify({
	isUsed,
	isLossy: lossy.includes('\\ufffd'),
	pwd: scope.pwd,
	cwd: process.cwd(),
	names: dir.entries.map(({name}) => name),
	text: await read('a.txt'),
	below: await read('sub/../a.txt'),
	byName: await read(named.name),
	lossyName: await read('n\\ufffd'),
	other: await read('../other/a.txt'),
	link: await read('link'),
	isHandle: typeof handle === 'object',
	project: projectDir('/r', scope.pwd) === projectDir('/r', scope.pwd.replace('\\udcff', '\\udcfe')),
	child: (await execa('cat', ['a.txt'], {cwd: scope.pwd})).stdout,
	childBelow: (await execa('cat', ['../a.txt'], {cwd: scope.pwd + '/sub'})).stdout,
}));
`;

const run = promisify(execFile);

it.skipIf(process.platform !== 'linux')('reads, lists and runs in a folder whose path is not UTF-8', async () => {
	const top = await mkdtemp(join(tmpdir(), 'inkpod-bytes-'));
	onTestFinished(async () => rm(top, {recursive: true, force: true}));
	const shell = String.raw`
		cd "$1" && p=$(printf 'p\377') && n=$(printf 'n\351') && mkdir -p "$p/sub" other && cd "$p"
		printf one > a.txt && printf name > "$n" && printf other > ../other/a.txt && ln -s "$1/$p/a.txt" link
		exec "$3" --input-type=module --no-warnings -e "$4" "$2"`;
	const root = join(import.meta.dirname, '../../../..');
	const {stdout} = await run('/bin/sh', ['-c', shell, 'sh', top, root, process.execPath, program]);
	expect(JSON.parse(stdout)).toEqual({
		isUsed: true,
		isLossy: true,
		pwd: `${top}/p\udcff`,
		cwd: `${top}/p\udcff`,
		names: ['sub', 'a.txt', 'link', 'n\udce9'],
		text: 'one',
		below: 'one',
		byName: 'name',
		lossyName: 'not_found',
		other: 'out_of_scope',
		link: 'one',
		isHandle: true,
		project: false,
		child: 'one',
		childBelow: 'one',
	});
});
