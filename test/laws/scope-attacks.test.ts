import {describe, expect, test} from 'vitest';
import {readAgain} from '../../src/pod/compaction/auto-read.ts';
import {createNominations} from '../../src/pod/compaction/nominations.ts';
import {estimateTokens} from '../../src/pod/context/tokens.ts';
import {createInstructions} from '../../src/pod/instructions/instructions.ts';
import {defaultLimits} from '../../src/pod/limits.ts';
import type {Item, Message} from '../../src/pod/protocol.ts';
import {readText} from '../../src/pod/scope/read.ts';
import {createStaleCheck} from '../../src/pod/stale.ts';
import {resolveRefs} from '../../src/pod/submission/refs.ts';
import {globTool} from '../../src/pod/tools/glob.ts';
import {searchBuiltin} from '../../src/pod/tools/grep-builtin.ts';
import {grepTool} from '../../src/pod/tools/grep.ts';
import {readFileTool} from '../../src/pod/tools/read-file.ts';
import {findRipgrep, ripgrepEngine} from '../../src/pod/tools/ripgrep.ts';
import type {Tool} from '../../src/worker/index.ts';
import {attacks, makeRace, pathOf, races, strangeTexts, surroundings, swapping, tries, type Attack, type Verdict} from '../helpers/attack-table.ts';
import {countedClock} from '../helpers/clock.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {searching} from '../pod/completion/searching.ts';
import {runTool} from '../pod/tools/run-tool.ts';

/** What a way says of a path. `text`: all that the model or the person gets to see. `reason`: why it is not what was asked for. */
type Said = {readonly text: string; readonly reason?: string | undefined};

/** A way to the disk. `expects`: the reason that it owes to an attack, where it owes one. */
type Way = {readonly ask: (project: TempProject, path: string) => Promise<Said>; readonly expects: (attack: Attack) => string | RegExp | undefined; /** Starts a thread or a process each time: it is tried less often in the long run. */ readonly isSlow?: boolean};

const signal = new AbortController().signal;
const {maxBytes, maxScanBytes} = defaultLimits.fileRefs;
const {maxOutputBytes} = defaultLimits.tools;
const rg = findRipgrep(process.env['PATH'], {pwd: '/nowhere', writable: false, readRoots: []});

const sentences: Readonly<Record<Exclude<Verdict, 'inside'>, RegExp>> = {
	out_of_scope: /outside the directories/,
	not_found: /no such file/,
	not_a_file: /a FIFO, a device/,
	is_directory: /is a directory/,
	io: /could not be read/,
};

/** By a tool, in the sentence that the model reads. */
function byTool(make: (project: TempProject) => Tool, args: (path: string) => unknown, verdict: (attack: Attack) => Verdict): Way {
	return {
		async ask(project, path) {
			const {content, summary, isError} = await runTool(make(project), args(path));
			return {text: `${summary}\n${content}`, reason: isError === true ? content : undefined};
		},
		expects: attack => (verdict(attack) === 'inside' ? undefined : sentences[verdict(attack) as Exclude<Verdict, 'inside'>]),
	};
}

const ofFolder = ({file, folder = file}: Attack): Verdict => folder;
const ofFile = ({file}: Attack): Verdict => file;
const reasonOf = (attack: Attack) => (attack.file === 'inside' ? undefined : attack.file);

const ways: Readonly<Record<string, Way>> = {
	'a file ref': {
		async ask({scope}, path) {
			const refs = await resolveRefs([{type: 'file_ref', path}], {scope, limits: defaultLimits.fileRefs, signal});
			return {text: refs.map(ref => (ref.ok ? ref.draft.text : ref.sentence)).join('\n'), reason: refs.map(ref => (ref.ok ? undefined : ref.reason))[0]};
		},
		expects: reasonOf,
	},
	'the one reader, as an auto-read uses it': {
		async ask({scope}, path) {
			const read = await readText(scope, path, {maxBytes, maxScanBytes, confirmed: true, signal});
			return read.ok ? {text: read.body} : {text: '', reason: read.reason};
		},
		expects: reasonOf,
	},
	'an auto-read': {
		async ask({scope}, path) {
			const read = await readAgain({path}, {scope, maxScanBytes, estimate: estimateTokens, signal});
			return read.ok ? {text: read.draft('c').text.replace(/^.*\n/, '')} : {text: '', reason: read.reason};
		},
		expects: reasonOf,
	},
	'a nomination to be read again': byTool(({scope}) => createNominations({scope, maxScanBytes, estimate: estimateTokens, budget: 1_000_000}).tools[0]!, path => ({path}), ofFile),
	'read_file': byTool(({scope}) => readFileTool({scope, maxOutputBytes, maxScanBytes, ask: async () => 'allow'}), path => ({path}), ofFile),
	'glob': byTool(({scope}) => globTool({scope, maxOutputBytes}), path => ({pattern: '**', path}), ofFolder),
	'glob, by its pattern': byTool(({scope}) => globTool({scope, maxOutputBytes}), path => ({pattern: `${path}/*`}), () => 'inside'),
	'grep, built in': {...byTool(({scope}) => grepTool({scope, maxOutputBytes, engine: searchBuiltin}), path => ({pattern: '.', path}), ofFolder), isSlow: true},
	...(rg !== undefined && {'grep, by ripgrep': {...byTool(({scope}) => grepTool({scope, maxOutputBytes, engine: ripgrepEngine(rg)}), path => ({pattern: '.', path}), ofFolder), isSlow: true}}),
	'instructions on the way to it': {
		async ask({scope}, path) {
			const warnings: string[] = [];
			const instructions = createInstructions({scope, items: () => [], clock: countedClock(), onWarning: sentence => warnings.push(sentence)});
			const brought = await instructions.due([attached(path)], signal);
			return {text: [...brought.map(({text}) => text), ...warnings].join('\n')};
		},
		expects: () => undefined,
	},
	'a completion': {
		async ask({scope}, path) {
			const {matches} = await searching(scope)(path);
			return {text: JSON.stringify(matches)};
		},
		expects: () => undefined,
	},
	'the question whether it changed': {
		async ask({scope}, path) {
			const [state] = await createStaleCheck({items: () => [attached(path)], scope})(['attached']);
			return {text: '', reason: state!.state};
		},
		expects: ({file}) => (file === 'out_of_scope' ? 'unknown' : undefined),
	},
};

function attached(path: string): Message & Item {
	return {id: 'attached', at: '', type: 'message', role: 'system', text: '', origin: {kind: 'file', path, bytes: 1, totalBytes: 1, lines: 1, truncated: false, sha256: '', mtimeMs: 0}};
}

describe.each(Object.entries(ways))('by %s', (_, {ask, expects, isSlow}) => {
	test.each(attacks.map(attack => [attack.name, attack] as const))('%s, nothing outside is told, and why', {timeout: 20_000}, async (_name, attack) => {
		const project = await tempProject(surroundings);
		await attack.make?.(project);
		const {text, reason} = await ask(project, pathOf(attack, project));
		for (const strange of strangeTexts) expect(text).not.toContain(strange);
		const expected = expects(attack);
		if (expected !== undefined) expect(reason).toMatch(expected);
	});

	test.each(races.map(race => [race.name, race] as const))(`%s, nothing outside is told`, {timeout: 600_000}, async (_name, race) => {
		const project = await tempProject(surroundings);
		await makeRace(project, race);
		const thread = await swapping(project, race);
		const told = new Set<string>();
		const paths = [race.path, 'way', '.'];
		const count = isSlow === true ? Math.min(tries, 100) : tries;
		for (let turn = 0; turn < count; turn += 1) told.add((await ask(project, paths[turn % paths.length]!)).text);
		await thread.stop();
		const all = [...told].join('\n');
		for (const strange of strangeTexts) expect(all).not.toContain(strange);
	});
});

describe.each(attacks.filter(({path, make}) => typeof path === 'string' && make === undefined && !path.includes('\0') && path.length < 4000).map(attack => [attack.name, attack] as const))('%s as the target of', (_, attack) => {
	test.each(['AGENTS.md', 'CLAUDE.md'])('%s, refused with a warning or passed over', async name => {
		const project = await tempProject({...surroundings, '../.git/': ''});
		await project.link(name, pathOf(attack, project));
		const warnings: string[] = [];
		const instructions = createInstructions({scope: project.scope, items: () => [], clock: countedClock(), onWarning: sentence => warnings.push(sentence)});
		const brought = await instructions.due([], signal);
		expect(brought).toEqual([]);
		expect(warnings.length).toBe(['a missing file of the parent', 'a folder that is called ~', 'a home that is written'].includes(attack.name) ? 0 : 1);
	});
});
