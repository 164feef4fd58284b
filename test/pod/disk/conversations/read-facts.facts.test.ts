import {mkdir, mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {ownersOf} from '../../../../src/pod/scope/owners.ts';
import {createFactStore, turnFacts} from '../../../../src/pod/disk/conversations/read-facts.ts';
import {changeLabel, readLabel} from '../../../../src/pod/disk/list/label.ts';
import {createItems, historyText} from '../../../helpers/items.ts';
import {createHistory, type Item} from '../../../../src/worker/index.ts';

/** A session in a folder with a git branch, whose history takes items. */
async function storing(usd = 0) {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-facts-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true}));
	await mkdir(join(dir, '.git'));
	await writeFile(join(dir, '.git/HEAD'), 'ref: refs/heads/topic\n');
	await writeFile(join(dir, 'label.json'), '{"title":"A title"}');
	const written: Item[] = [];
	const write = async (batch: readonly Item[]) => {
		written.push(...batch);
		await writeFile(join(dir, 'history.json'), historyText(written));
	};
	const history = createHistory({write}, []);
	const scope = {pwd: dir, owners: ownersOf({HOME: dir}, [])};
	const facts = createFactStore({dir: () => dir, history, usd: async () => usd, scope});
	const size = async () => (await stat(join(dir, 'history.json'))).size;
	return {dir, history, facts, size};
}

describe('the facts of a session', () => {
	it('are its turns, its model, its cost and its branch, and are stored at the end of each turn', async () => {
		const {dir, history, size} = await storing(0.25);
		const make = createItems();
		const {model} = make.setup();
		await history.append([make.setup(), make.user('one')]);
		expect(await readLabel(dir)).toEqual({title: 'A title'});
		await history.append([make.end()]);
		const common = {model, usd: 0.25, branch: 'topic'};
		await expect
			.poll(async () => readLabel(dir))
			.toEqual({title: 'A title', facts: {turns: 1, ...common, last: 'one', bytes: await size()}});
		await history.append([make.user('two'), make.end('cancelled')]);
		await expect
			.poll(async () => (await readLabel(dir)).facts)
			.toEqual({turns: 2, ...common, last: 'two', bytes: await size()});
		await history.append([make.user('three'), make.end('paused')]);
		await expect
			.poll(async () => (await readLabel(dir)).facts)
			.toEqual({turns: 3, ...common, last: 'three', interrupted: true, bytes: await size()});
	});

	it('name the changed files and the last words, bounded so that the label stays readable', async () => {
		const {dir, history} = await storing();
		const make = createItems();
		const changed = Array.from({length: 9}, (_, at) => ({
			path: `${at}/${'\u0001'.repeat(400)}`,
			real: `/${at}`,
			after: '',
		}));
		const made = {...make.result('c', 'edited', ''), details: {changed}};
		await history.append([make.setup(), make.user('one'), make.call('c', 'edit_file', {path: 'x'}), made]);
		await history.append([make.user(`${'\u0001'.repeat(119)}🙂`), make.end()]);
		await expect.poll(async () => (await readLabel(dir)).facts?.fileCount).toBe(9);
		const {title, facts} = await readLabel(dir);
		expect(title).toBe('A title');
		expect(facts?.files).toHaveLength(4);
		expect(facts?.last).toBe('\u0001'.repeat(119));
	});

	it('are stored after the first answer, because the first turn may be long', async () => {
		const {dir, history} = await storing();
		const make = createItems();
		const sent = make.sent();
		await history.append([make.setup(), make.user('one'), sent]);
		await history.append([make.answered(sent)]);
		await expect
			.poll(async () => (await readLabel(dir)).facts)
			.toMatchObject({turns: 1, branch: 'topic', interrupted: true});
	});

	it('are missing without a turn, and a folder that is gone is no failure', async () => {
		const {dir, history, facts} = await storing();
		await history.append([createItems().setup()]);
		await facts.store();
		expect(await readLabel(dir)).toEqual({title: 'A title'});
		await rm(dir, {recursive: true});
		await facts.store();
		facts.stop();
	});

	it('count a turn that lacks its end, and no rewound interruption', () => {
		const make = createItems();
		const [setup, one, end, two] = [make.setup(), make.user('one'), make.end(), make.user('two')];
		expect(turnFacts([setup, one, end])).toEqual({turns: 1, model: setup.model});
		expect(turnFacts([setup, one, end, two])).toEqual({turns: 2, model: setup.model, interrupted: true});
		const rewind = make.item('rewind', {to: end.id});
		expect(turnFacts([setup, one, end, two, rewind])).toEqual({turns: 1, model: setup.model});
	});
});

it('changes of a label at the same time all take effect', async () => {
	const {dir} = await storing();
	await Promise.all([changeLabel(dir, {pinned: true}), changeLabel(dir, {title: 'New'}), changeLabel(dir, {})]);
	expect(await readLabel(dir)).toEqual({title: 'New', pinned: true});
});

it('a damaged label is empty', async () => {
	const {dir} = await storing();
	await writeFile(join(dir, 'label.json'), '{"title":7}');
	expect(await readLabel(dir)).toEqual({});
});
