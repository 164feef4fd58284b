import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {startRegistries} from '../helpers/registries.ts';
import {toolProject, type ToolProject} from '../helpers/tool-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

type Project = {
	readonly name: string;
	/** A command that succeeds where the tools are installed. */
	readonly needs: string;
	readonly files: Readonly<Record<string, string>>;
	/** What the user did before, in the project, with network. */
	readonly prepare?: string;
	readonly commands: readonly string[];
	/** What the commands print together. */
	readonly prints?: RegExp;
	/** Paths that exist in the project afterwards. */
	readonly leaves?: readonly string[];
};

const plugin = (name: string, version: string) =>
	`<plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`;
const jar = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
	<groupId>x</groupId><artifactId>app</artifactId><version>1</version>
	<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
	<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties><build><pluginManagement><plugins>
	${plugin('resources', '3.3.1')}${plugin('compiler', '3.13.0')}${plugin('surefire', '3.2.5')}${plugin('jar', '3.4.1')}
	</plugins></pluginManagement></build></project>`;
const repository = `${homedir()}/.m2/repository`;

const crate = (name: string, more = '') => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
const crateTest = '#[test]\nfn counts() { assert_eq!(app::two(), 2); }\n';

const warm: readonly Project[] = [
	{
		name: 'npm install: a package of the warm cache, a folder and a workspace',
		needs: 'npm --version',
		files: {
			'package.json':
				'{"name":"app","version":"1.0.0","workspaces":["part"],"dependencies":{"own":"file:./own","inkpod-leaf":"^1.0.0"}}',
			'own/package.json': '{"name":"own","version":"1.0.0","bin":{"own":"cli.js"}}',
			'own/cli.js': '#!/usr/bin/env node\nconsole.log("own", require("inkpod-leaf"));\n',
			'part/package.json': '{"name":"part","version":"1.0.0","dependencies":{"inkpod-leaf":"1.0.0"}}',
		},
		prepare: 'mkdir ../other && cd ../other && echo {} > package.json && npm install inkpod-leaf',
		commands: ['npm install', 'node_modules/.bin/own', 'npm ci', 'npx own', 'npm ls'],
		prints: /own 7[^]*own 7[^]*inkpod-leaf@1\.0\.0/,
		leaves: ['package-lock.json', 'node_modules/inkpod-leaf/index.js', 'node_modules/part/package.json'],
	},
	{
		name: 'npm test: node --test, and a tool of node_modules/.bin',
		needs: 'npm --version',
		files: {
			'package.json':
				'{"name":"app","version":"1.0.0","scripts":{"test":"node --test && ' +
				'check"},"devDependencies":{"check":"file:./check"}}',
			'check/package.json': '{"name":"check","version":"1.0.0","bin":{"check":"check.js"}}',
			'check/check.js': [
				'#!/usr/bin/env node',
				'const {fork} = require("node:child_process"), http = require("node:http"), fs = require("node:fs");',
				'if (process.send) process.send("hi"); else {',
				'	fs.mkdirSync("node_modules/.cache/check", {recursive: true});',
				'	fs.writeFileSync("node_modules/.cache/check/x", "");',
				'	fork(__filename).on("message", () => {',
				'		const server = http.createServer((q, a) => a.end("served")).listen(0, () =>',
				'			fetch(`http://localhost:${server.address().port}`).then(r => r.text()).then(t => { ' +
					'console.log(t); server.close(); }));',
				'	});',
				'}',
			].join('\n'),
			'a.test.js': 'require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2));\n',
		},
		prepare: 'npm install',
		commands: ['npm test'],
		prints: /pass 1[^]*served/,
	},
	{
		name: 'tsc',
		needs: 'tsc --version',
		files: {
			'tsconfig.json':
				'{"compilerOptions":{"outDir":"out","rootDir":".","incremental":true,"strict":true,"types":[]},"files":["a.ts"]}',
			'a.ts': 'export const two: number = 2;\n',
		},
		commands: ['tsc -p .', 'tsc -p .'],
		leaves: ['out/a.js'],
	},
	{
		name: 'cargo build and cargo test: a crate without dependencies',
		needs: 'cargo --version',
		files: {'Cargo.toml': crate('app'), 'src/lib.rs': 'pub fn two() -> u32 { 2 }\n', 'tests/t.rs': crateTest},
		commands: ['cargo build', 'cargo test', 'cargo build --release'],
		prints: /1 passed/,
		leaves: ['Cargo.lock', 'target/debug/libapp.rlib', 'target/release/libapp.rlib'],
	},
	{
		name: 'cargo test: a crate of a folder, one of the warm cache, and a build script',
		needs: 'cargo --version',
		files: {
			'Cargo.toml': crate('app', '[dependencies]\nown = {path = "own"}\ninkpod-leaf = "1"\n'),
			'build.rs': 'fn main() { println!("cargo::rustc-env=BUILT=yes"); }\n',
			'src/lib.rs':
				'pub fn two() -> u32 { own::one() + inkpod_leaf::VALUE - 6 }\npub const BUILT: &str = env!("BUILT");\n',
			'tests/t.rs': crateTest,
			'own/Cargo.toml': crate('own'),
			'own/src/lib.rs': 'pub fn one() -> u32 { 1 }\n',
		},
		prepare: 'cargo fetch -q',
		commands: ['cargo test'],
		prints: /1 passed/,
		leaves: ['target/debug'],
	},
	{
		name: 'cargo build: a vendored crate',
		needs: 'cargo --version',
		files: {
			'Cargo.toml': crate('app', '[dependencies]\ninkpod-leaf = "1"\n'),
			'src/lib.rs': 'pub const SEVEN: u32 = inkpod_leaf::VALUE;\n',
		},
		prepare: [
			'cargo vendor -q --respect-source-config >/dev/null && mkdir .cargo && rm -rf ~/.cargo/registry',
			String.raw`printf '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "vendor"\n' > .cargo/config.toml`,
		].join(' && '),
		commands: ['cargo build'],
		leaves: ['target/debug/libapp.rlib'],
	},
	{
		name: 'go build and go test: the standard library',
		needs: 'go version',
		files: {
			'go.mod': 'module example.com/app\n\ngo 1.19\n',
			'main.go':
				'package main\n\nimport "fmt"\n\nfunc two() int { return 2 }\n\nfunc main() { fmt.Println(two()) }\n',
			'main_test.go':
				'package main\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif two() != 2 {\n\t\tt.Fatal()\n\t}\n}\n',
		},
		commands: ['go build -o app . && ./app', 'go test ./...', 'go vet ./...'],
		prints: /2\n[^]*ok\s+example\.com\/app/,
		leaves: ['app'],
	},
	{
		name: 'go test: a module of the warm cache',
		needs: 'go version',
		files: {
			'go.mod': 'module example.com/app\n\ngo 1.19\n\nrequire example.com/inkpod-leaf v1.0.0\n',
			'a.go': 'package app\n\nimport leaf "example.com/inkpod-leaf"\n\nconst Value = leaf.Value\n',
			'a_test.go':
				'package app\n\nimport "testing"\n\nfunc TestValue(t *testing.T) {\n\tif Value != 7 {\n\t\tt.Fatal()\n\t}\n}\n',
		},
		prepare: 'go mod tidy && go build ./...',
		commands: ['go test ./...', 'go mod tidy'],
		prints: /ok\s+example\.com\/app/,
	},
	{
		name: 'python: venv, pip install of a wheel and of a folder, unittest',
		needs: 'python3 -c "import venv, ensurepip"',
		files: {
			'pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
			'backend.py': [
				'import zipfile',
				'def build_wheel(folder, settings=None, metadata=None):',
				'    at = "app-1.dist-info/"',
				'    with zipfile.ZipFile(folder + "/app-1-py3-none-any.whl", "w") as wheel:',
				'        wheel.write("app.py")',
				'        wheel.writestr(at + "METADATA", "Metadata-Version: 2.1\\nName: app\\nVersion: 1\\n")',
				'        wheel.writestr(at + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
				'        wheel.writestr(at + "RECORD", "app.py,,\\n")',
				'    return "app-1-py3-none-any.whl"',
			].join('\n'),
			'app.py': 'import inkpod_leaf\nVALUE = inkpod_leaf.VALUE\n',
			'test_app.py': [
				'import unittest, app',
				'class T(unittest.TestCase):',
				'    def test_value(self): self.assertEqual(app.VALUE, 7)',
			].join('\n'),
		},
		prepare: 'pip download -q --no-deps -d wheels inkpod-leaf',
		commands: [
			'python3 -m venv .venv',
			'.venv/bin/pip install wheels/*.whl',
			'.venv/bin/python -m unittest',
			'.venv/bin/pip install .',
		],
		prints: /Successfully installed inkpod-leaf-1\.0\.0[^]*OK[^]*Successfully installed app-1/,
		leaves: ['.venv/bin/pip', '.venv/pyvenv.cfg'],
	},
	{
		name: 'mvn -o package, with the repository of whoever runs the tests',
		needs: `mvn --version && test -d ${repository}/org/apache/maven/plugins/maven-jar-plugin/3.4.1`,
		files: {'pom.xml': jar, 'src/main/java/A.java': 'public class A { public static int two() { return 2; } }\n'},
		prepare: `mkdir -p ~/.m2 && ln -s ${repository} ~/.m2/repository && mvn -q -o package && rm -rf target`,
		commands: ['mvn -q -o package'],
		leaves: ['target/app-1.jar'],
	},
	{
		name: 'make',
		needs: 'make --version && cc --version',
		files: {
			Makefile: 'app: app.c\n\tcc -o app app.c\n',
			'app.c': '#include <stdio.h>\nint main(void) { puts("made"); }\n',
		},
		commands: ['make', './app', 'make'],
		prints: /made[^]*up to date/,
		leaves: ['app'],
	},
	{
		name: 'git: commit, rebase, stash and gc',
		needs: 'git --version',
		files: {'a.txt': 'a\n', 'b.txt': 'b\n', '../home/.gitconfig': '[user]\n\tname = n\n\temail = a@b\n'},
		prepare: [
			'git init -q -b main && git add . && git commit -qm first && git checkout -qb topic && echo 2 >> b.txt',
			'git commit -qam topic && git checkout -q main',
		].join(' && '),
		commands: [
			'echo 2 >> a.txt && git commit -am second',
			'git checkout topic && git rebase main',
			'echo 3 >> a.txt && git stash && git stash list && git stash pop',
			'git checkout a.txt && git gc && git fsck --strict',
		],
		prints: /second[^]*rebased and updated[^]*stash@\{0\}[^]*Dropped/,
	},
];

/** The notes of a result about confinement. */
const notes = /likely cause|tried to use the network|Not changed in|Not created in|Changed outside|discarded/;

function isThere(command: string): boolean {
	try {
		execFileSync('sh', ['-c', command], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

async function opened(files: Project['files']): Promise<ToolProject & {readonly asked: string[]}> {
	const {configs, asked} = await startRegistries();
	const atHome = Object.entries(configs).map(([name, text]) => [`../home/${name}`, text] as const);
	return {...(await toolProject({...Object.fromEntries(atHome), ...files})), asked};
}

describe.skipIf(!available.ok)('a project works confined, without a card if the cache is warm', () => {
	it.each(warm.filter(({needs}) => isThere(needs)))(
		'$name',
		{timeout: 600_000},
		async ({files, prepare = 'true', commands, prints = /(?:)/, leaves = []}) => {
			const project = await opened(files);
			await project.outside(prepare);
			project.changesAtHome();
			project.asked.length = 0;
			let output = '';
			for (const command of commands) {
				const run = await project.inside(command);
				output += run.output;
				expect({...run, command}).toMatchObject({
					command,
					isError: false,
					cards: [],
					output: expect.not.stringMatching(notes),
				});
			}
			expect(output).toMatch(prints);
			for (const path of leaves) expect([path, existsSync(join(project.dir, path))]).toEqual([path, true]);
			expect(project.asked).toEqual([]);
			expect(project.changesAtHome()).toEqual([]);
		},
	);
});

/** A project with a dependency that is in no cache, the command that gets it, and the file that it leaves. */
const cold: ReadonlyArray<Omit<Project, 'prepare' | 'commands'> & {readonly command: string; readonly again: string}> =
	[
		{
			name: 'npm install',
			needs: 'npm --version',
			files: {'package.json': '{"name":"app","version":"1.0.0","dependencies":{"inkpod-leaf":"^1.0.0"}}'},
			command: 'npm install',
			again: 'rm -rf node_modules && npm ci',
			leaves: ['package-lock.json', 'node_modules/inkpod-leaf/index.js'],
		},
		{
			name: 'pip install',
			needs: 'python3 -c "import venv, ensurepip"',
			files: {'a.txt': ''},
			command: 'python3 -m venv .venv && .venv/bin/pip install inkpod-leaf',
			again: '.venv/bin/python -c "import inkpod_leaf"',
			leaves: ['.venv/pyvenv.cfg'],
		},
		{
			name: 'cargo build',
			needs: 'cargo --version',
			files: {
				'Cargo.toml': crate('app', '[dependencies]\ninkpod-leaf = "1"\n'),
				'src/lib.rs': 'pub use inkpod_leaf::VALUE;\n',
			},
			command: 'cargo build',
			again: 'rm -r target && cargo build',
			leaves: ['Cargo.lock', 'target/debug/libapp.rlib'],
		},
		{
			name: 'go build',
			needs: 'go version',
			files: {
				'go.mod': 'module example.com/app\n\ngo 1.19\n',
				'a.go': 'package app\n\nimport leaf "example.com/inkpod-leaf"\n\nconst Value = leaf.Value\n',
			},
			command: 'go mod tidy',
			again: 'go build ./... && go mod tidy',
			leaves: ['go.sum'],
		},
	];

describe.skipIf(!available.ok)(
	'a project with a cold cache needs one card for the network, and none the next time',
	() => {
		it.each(cold.filter(({needs}) => isThere(needs)))(
			'$name',
			{timeout: 600_000},
			async ({files, command, again, leaves = []}) => {
				const project = await opened(files);
				const first = await project.inside(command, 'network');
				expect({...first, cards: first.cards.length}).toMatchObject({isError: false, cards: 1});
				expect(first.output).toMatch(/^\[The user ran the command again with network/);
				for (const path of leaves) expect([path, existsSync(join(project.dir, path))]).toEqual([path, true]);
				expect(project.changesAtHome()).toEqual([]);
				project.asked.length = 0;
				expect(await project.inside(again)).toMatchObject({isError: false, cards: []});
				expect(project.asked).toEqual([]);
				expect(project.changesAtHome()).toEqual([]);
			},
		);

		it('leaves nothing behind if the user keeps the result', {timeout: 600_000}, async () => {
			const {files = {}} = cold[0] ?? {};
			const project = await opened(files);
			const {cards, isError, output} = await project.inside('npm install', 'keep');
			expect({cards: cards.length, isError}).toEqual({cards: 1, isError: true});
			expect(output).toMatch(notes);
			expect(existsSync(join(project.dir, 'node_modules/inkpod-leaf'))).toBe(false);
		});
	},
);
