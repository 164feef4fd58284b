import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {blame} from '../../../../src/pod/open/blame/blame.ts';
import {blamedFile, type BlamedFile, type TrueLine} from '../../../helpers/blamed-file.ts';
import {seededRandom} from '../../../helpers/random.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? Date.now() % 1_000_000);
const isLong = process.env['INKPOD_TEST'] === 'long';
const edits = isLong ? 1000 : 60;

describe(`random edits, seed ${seed}`, () => {
	it('lead to their calls', {timeout: 600_000}, async () => {
		const random = seededRandom(seed);
		const total: Total = {right: 0, wrong: [], open: 0, lost: 0, short: 0};
		for (let done = 0; done < edits; done += editsEach) {
			const file = await edited(random, Math.min(editsEach, edits - done));
			await check(file, total);
		}
		const {right, wrong, open, lost, short} = total;
		const all = right + wrong.length + open + lost + short;
		const others = `${open} undecided, ${lost} without a call, ${short} short lines of another call`;
		console.log(`seed ${seed}: ${right} of ${all} lines, ${others}, ${wrong.length} wrong`);
		expect(wrong).toEqual([]);
		// About 120 lines are too few for a narrow limit.
		expect(right / all).toBeGreaterThan(isLong ? 0.95 : 0.9);
	});
});

const editsEach = isLong ? 50 : 20;

/** A comparison of two contents may mistake a short line for an equal one beside it (docs/blame.md, Limits). */
function isShort(text: string): boolean {
	return text.replaceAll(/\W/g, '').length <= 6;
}

type Random = () => number;

type Total = {right: number; readonly wrong: string[]; open: number; lost: number; short: number};

async function check(file: BlamedFile, total: Total): Promise<void> {
	file.save();
	const {dir, env, sessions, path} = file;
	const result = await blame({file: join(dir, path), pwd: dir, sessions, owners: undefined, env});
	if (!result.ok) throw new Error(result.sentence);
	for (const [index, {text, call}] of file.lines.entries()) {
		const {changes = [], isCertain = true} = result.lines[index] ?? {};
		const found = changes.map(({item}) => item);
		if (!isCertain) total.open += 1;
		else if (found[0] === call) total.right += 1;
		else if (found.length === 0) total.lost += 1;
		else if (isShort(text)) total.short += 1;
		else total.wrong.push(`${dir} ${path}:${index + 1} "${text}" is of ${call}, not of ${found[0]}`);
	}
}

async function edited(random: Random, count: number): Promise<BlamedFile> {
	const file = await blamedFile(Array.from({length: 30}, () => newText(random)));
	let committed = [...file.lines];
	let commits = 1;
	let branch = 0;
	const commit = (...args: readonly string[]) => {
		file.commit(`commit ${commits}`, ...args);
		committed = [...file.lines];
		if (args.length === 0) commits += 1;
	};
	for (let index = 0; index < count; index += 1) {
		const isTool = random() < 0.65;
		const lines = changed(file.lines, random, isTool ? 'new' : undefined);
		if (isTool) await file.byTool(random() < 0.7 ? 0 : 1, lines, random() < 0.5 ? 'edit_file' : 'write_file');
		else file.byHand(lines);
		const step = random();
		if (step < 0.25) commit();
		else if (step < 0.32 && commits > 1) commit('--amend');
		else if (step < 0.4 && commits > 3) {
			commit();
			file.git('reset', '-q', '--soft', 'HEAD~2');
			commits -= 2;
			commit();
		} else if (step < 0.47) {
			commit();
			rebase(file, (branch += 1));
		} else if (step < 0.53) {
			file.rename(`${'abc'[branch % 3]}${index}.ts`);
			commit();
		} else if (step < 0.56) {
			file.git('reset', '-q', '--hard');
			file.byHand(committed);
		}
	}
	return file;
}

/** Rebases the last commit onto a commit of another file. */
function rebase(file: BlamedFile, branch: number): void {
	file.git('checkout', '-q', '-b', `other${branch}`, 'HEAD~1');
	file.git('commit', '-q', '--allow-empty', '-m', `other ${branch}`);
	file.git('checkout', '-q', 'main');
	file.git('rebase', '-q', `other${branch}`);
}

function changed(lines: readonly TrueLine[], random: Random, call: string | undefined): readonly TrueLine[] {
	const at = Math.floor(random() * (lines.length + 1));
	const size = 1 + Math.floor(random() * 6);
	const fresh = Array.from({length: size}, () => ({text: newText(random), call}));
	const kind = random();
	if (kind < 0.35) return lines.toSpliced(at, 0, ...fresh);
	if (kind < 0.65) return lines.toSpliced(at, size, ...fresh);
	if (kind < 0.75 && lines.length > 20) return lines.toSpliced(at, size);
	if (kind < 0.85) {
		const block = lines.slice(at, at + size);
		const rest = lines.toSpliced(at, size);
		return rest.toSpliced(Math.floor(random() * rest.length), 0, ...block);
	}
	const from = random() < 0.5 ? 0 : at;
	return lines.map((line, index) => (index < from ? line : {...line, text: indented(line.text, random)}));
}

function indented(text: string, random: Random): string {
	return `${'\t'.repeat(Math.floor(random() * 4))}${text.trim()}`;
}

function newText(random: Random): string {
	if (random() < 0.12) return shortTexts[Math.floor(random() * 4)] ?? '';
	const word = () => Math.floor(random() * 2 ** 40).toString(36);
	return `const ${word()} = ${word()}(${word()});`;
}

/** If such a line is removed and written again, the contents are those of a line that stayed. */
const shortTexts = ['}', '', 'return;', '});'];
