import {cp, readFile, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {historyFile, sideDir} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {repairSession} from '../../../../src/pod/disk/check/repair.ts';
import {verifySummaries, type SummariesVerdict} from '../../../../src/pod/disk/check/verify-summaries.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {compactedSession, compactionItem} from '../../../helpers/side-sessions.ts';
import {historyOf, request, storedSession, tempHome, user} from '../fixture.ts';

const said = [user('a', 'one'), request('b')];
const own = [user('s1', 'Summarise this.'), request('s2')];

async function compacted(): Promise<{readonly dir: string; readonly side: string}> {
	const home = await tempHome();
	const dir = await compactedSession(home, said, {id: 'C1', items: own}, {id: 'C2', items: own, finished: false});
	return {dir, side: historyFile(sideDir(dir, 'C1'))};
}

async function verdictOf(dir: string): Promise<SummariesVerdict> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return verifySummaries(read.session);
}

async function change(path: string, by: (lines: readonly string[]) => readonly string[]): Promise<void> {
	await writeFile(path, by((await readFile(path, 'utf8')).split('\n')).join('\n'));
}

/** The name of a damage, the damage, the line that the failure names, and the sentence. */
const damages: ReadonlyArray<
	readonly [string, (path: string) => Promise<void>, line: number | undefined, sentence: RegExp]
> = [
	['a changed line', async path => change(path, lines => lines.with(1, lines[1]!.replace('this', 'that'))), 2, /./],
	['a changed header', async path => change(path, lines => lines.with(0, lines[0]!.replace('cwd', 'cwx'))), 1, /./],
	['a deleted line', async path => change(path, lines => lines.toSpliced(1, 1)), 2, /./],
	[
		'a deleted last line',
		async path => change(path, lines => lines.toSpliced(2, 1).with(1, lines[1]!.slice(0, -1))),
		undefined,
		/not the conversation/,
	],
	[
		'another conversation',
		async path => writeFile(path, historyOf(said, {session: 'C1', cwd: '/p', created: ''})),
		undefined,
		/not the conversation/,
	],
	['an unreadable file', async path => writeFile(path, 'rubbish'), undefined, /is not an inkpod session/],
	['a missing file', async path => rm(path), undefined, /missing/],
];

describe('the check of side sessions', () => {
	it('finds those of compactions and those that did not finish', async () => {
		const {dir} = await compacted();
		expect(await verdictOf(dir)).toMatchObject({
			ok: true,
			count: 2,
			unfinished: 1,
			findings: [{level: 'note', path: historyFile(sideDir(dir, 'C2')), sentence: /did not finish/}].map(
				({sentence, ...finding}) => ({...finding, sentence: expect.stringMatching(sentence) as string}),
			),
		});
	});

	it('requires none of a compaction that names none', async () => {
		const {dir} = await storedSession(await tempHome(), [[...said, compactionItem('C1')]]);
		expect(await verdictOf(dir)).toEqual({ok: true, count: 0, unfinished: 0, findings: [], sessions: []});
	});

	it('notes that they disappeared with the folder of a session that was saved again later', async () => {
		const [lost, later] = ['C1', 'C2'].map(id => compactionItem(id, {items: 1, chain: 'x'}));
		const origin = {kind: 'notice', about: 'rescued'};
		const notice = {...user('n', 'Saved again.'), role: 'system' as const, origin};
		const {dir} = await storedSession(await tempHome(), [[...said, lost!, notice]]);
		expect(await verdictOf(dir)).toMatchObject({
			ok: true,
			findings: [{level: 'note', sentence: expect.stringMatching(/disappeared/) as string}],
		});
		const again = await storedSession(await tempHome(), [[...said, notice, later!]]);
		expect(await verdictOf(again.dir)).toMatchObject({ok: false, findings: [{level: 'failure'}]});
	});

	it('never leaves the folder of the session, whatever id a history names', async () => {
		const link = compactionItem('../../..', {items: 1, chain: 'x'});
		const {dir} = await storedSession(await tempHome(), [[...said, link]]);
		expect(await verdictOf(dir)).toMatchObject({ok: false, count: 0, findings: [{level: 'failure'}]});
	});

	it.each(damages)(
		'names the file and the line of %s, and a repair makes an intact copy',
		async (_, damage, line, text) => {
			const {dir, side} = await compacted();
			await damage(side);
			const verdict = await verdictOf(dir);
			const failures = verdict.findings.filter(({level}) => level === 'failure');
			expect(failures[0]).toMatchObject({path: side, sentence: expect.stringMatching(text) as string});
			expect([verdict.ok, failures[0]?.line]).toEqual([false, line]);
			const repaired = await repairSession(dir, {backupsOf: () => [], copyOutputs: async () => 0}, systemClock());
			if (!repaired.ok) throw new Error(repaired.sentence);
			expect(repaired.changes.length).toBeGreaterThan(0);
			expect(await verdictOf(repaired.dir)).toMatchObject({ok: true, unfinished: 1});
		},
	);

	const replacements: ReadonlyArray<readonly [string, (dir: string, side: string) => Promise<void>]> = [
		['a link to the main session', async (dir, side) => linkTo(historyFile(dir), side)],
		['a link to its own contents', async (_, side) => linkTo(`${side}.moved`, side, true)],
		['a folder that is a link', async (dir, side) => linkTo(dir, dirname(side))],
		['a copy of the main session', async (dir, side) => cp(historyFile(dir), side)],
		['a cut file', async (_, side) => truncate(side, (await readFile(side)).length - 20)],
		[
			'a whole other conversation that says it is a fork',
			async (_, side) => {
				const fork = {session: 'other', to: 'b'};
				await writeFile(side, historyOf(said, {session: 'C1', cwd: '/p', created: '', fork}));
			},
		],
	];

	it.each(replacements)('fails for %s, and a repair leaves it out and says so', async (_, replace) => {
		const {dir, side} = await compacted();
		await replace(dir, side);
		expect((await verdictOf(dir)).ok).toBe(false);
		const repaired = await repairSession(dir, {backupsOf: () => [], copyOutputs: async () => 0}, systemClock());
		if (!repaired.ok) throw new Error(repaired.sentence);
		expect(repaired.changes).toEqual([expect.stringMatching(/C1 is not in the copy/)]);
		await expect(readFile(historyFile(sideDir(repaired.dir, 'C1')))).rejects.toThrow('ENOENT');
		expect(await verdictOf(repaired.dir)).toMatchObject({ok: true, count: 1});
	});
});

/** Replaces a file or a folder by a link. With `keeps`, the link points to what was there. */
async function linkTo(target: string, path: string, keeps = false): Promise<void> {
	if (keeps) await rename(path, target);
	else await rm(path, {recursive: true});
	await symlink(target, path);
}
