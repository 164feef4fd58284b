import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportSession, type ExportFormat} from '../../../src/cli/export/export.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import type {Item} from '../../../src/worker/index.ts';
import {createItems} from '../../helpers/items.ts';
import {createMaker, forms, type Planted} from '../../pod/disk/export/planted.ts';
import {programForms} from '../../pod/disk/export/planted-programs.ts';
import {storedSession, tempHome} from '../../pod/disk/fixture.ts';

const make = createItems();
let calls = 0;

/** Writes a text at one of the places at which a session has texts. */
const places: Readonly<Record<string, (text: string) => readonly Item[]>> = {
	message: text => [make.user(`see: ${text} \nthere`)],
	file: text => [make.file('notes.txt', `${text}\nand more\n`)],
	arguments: text => {
		calls += 1;
		return [make.call(`a${calls}`, 'bash', {command: text}), make.result(`a${calls}`, 'done', 'ok')];
	},
	result: text => {
		calls += 1;
		return [make.call(`r${calls}`, 'bash', {}), make.result(`r${calls}`, text.split('\n', 1)[0] ?? '', text)];
	},
	instructions: text => [
		make.system(`[Instructions: AGENTS.md]\n${text}\n`, {kind: 'instructions', path: 'AGENTS.md'}),
	],
	model: text => [make.assistant(`It is this:\n\n    ${text}\n`)],
	title: text => [make.item('title', {title: text.slice(0, 200)})],
	mcp: text => {
		calls += 1;
		const details = {structured: {content: [{type: 'text', text}], [text]: 1}};
		const result = make.result(`m${calls}`, 'done', JSON.stringify({content: text}));
		return [make.call(`m${calls}`, 'mcp__x__y', {}), {...result, details}];
	},
};

type Secret = Planted & {readonly label: string};

function plantAll(): {readonly items: readonly Item[]; readonly secrets: readonly Secret[]} {
	const maker = createMaker(20_261_128);
	const secrets: Secret[] = [];
	const items: Item[] = [make.user('go')];
	for (const [place, write] of Object.entries(places))
		for (const [label, plant] of [...forms, ...programForms]) {
			const planted = plant(maker);
			if (place === 'title' && planted.text.length > 200) continue;
			items.push(...write(planted.text));
			secrets.push({...planted, label: `${place}: ${label}`});
		}
	return {items, secrets};
}

async function run(format: ExportFormat, exact: boolean) {
	const home = await tempHome();
	const {dir} = await storedSession(home, [planted.items]);
	const id = idOf(dir);
	const to = path.join(home.cwd, `out.${format}`);
	let err = '';
	const stderr = {write: (text: string) => (err += text)};
	const wanted = {id, env: home.env, cwd: home.cwd, format, exact, force: true, to};
	const code = await exportSession({...wanted, stdout: {write: () => true}, stderr});
	const text = await readFile(to, 'utf8');
	return {code, err, text: readers[format](text)};
}

/** The text of an export, and what a reader sees of it. */
const readers: Readonly<Record<ExportFormat, (text: string) => string>> = {
	json: text => text,
	md: text => `${text}\n${text.replaceAll(/\\([^\w\s])/g, '$1')}`,
	html: text => `${withCharacters(text)}\n${withCharacters(text.replaceAll(/<[^>]*>/g, ''))}`,
};

function withCharacters(html: string): string {
	return html.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Tells whether a text contains a secret, as it is, or as JSON or JSON in JSON writes it. */
function isIn(text: string, secret: string): boolean {
	const once = JSON.stringify(secret).slice(1, -1);
	return [secret, once, JSON.stringify(once).slice(1, -1)].some(form => text.includes(form));
}

const planted = plantAll();
describe(`an export of ${planted.secrets.length} secrets in ${Object.keys(places).length} places`, () => {
	it.each(['md', 'html', 'json'] as const)('leaves all of them out as %s, and counts them', async format => {
		const {code, err, text} = await run(format, false);
		expect(code).toBe(0);
		const kept = planted.secrets.filter(({secret}) => isIn(text, secret));
		expect(kept.map(({label, secret}) => `${label}: ${secret}`)).toEqual([]);
		expect(err).toContain(`Left out ${planted.secrets.length} values that look like secrets. Others may remain.\n`);
		if (format === 'json') {
			const {redacted, items} = JSON.parse(text) as {redacted: {count: number}; items: readonly Item[]};
			expect(redacted.count).toBe(planted.secrets.length);
			expect(items.map(item => [item.id, item.type])).toEqual(planted.items.map(item => [item.id, item.type]));
			for (const item of items) if (item.type === 'tool_call') JSON.parse(item.arguments);
		}
	});

	it.each(['md', 'json'] as const)('would see each of them in %s, because an exact export has all', async format => {
		const {text} = await run(format, true);
		const missing = planted.secrets.filter(({secret}) => !isIn(text, secret));
		expect(missing.map(({label}) => label)).toEqual([]);
		expect(planted.secrets.length).toBeGreaterThan(150 * 7);
	});
});
