import {describe, expect, it} from 'vitest';
import type {Item, StoredConversation} from '../../../src/pod/protocol.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {blockSources} from '../../../src/screen/rows/block-sources.ts';
import {fakeApp, fakePod, idle, settled} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';

const size = {columns: 80, rows: 60};
const conversation = {items: 9, chain: 'x'};

/** Returns an app with these items, whose pod answers every question about a conversation in this way. */
async function looking(items: readonly Item[], answer: (id: string) => StoredConversation | undefined) {
	const asked: string[] = [];
	const pod = {
		...fakePod(idle, items),
		async conversation(id: string) {
			asked.push(id);
			const stored = answer(id);
			if (stored === undefined) throw new Error('The pod has ended.');
			return stored;
		},
	};
	const made = await fakeApp(pod);
	const look = async () => {
		draw(made.app, size);
		await settled();
		return draw(made.app, size).transcript.rows.map(({row}) => plainText(row));
	};
	const store = made.app.state.transcript.store!;
	return {...made, asked, look, store, detail: () => store.setLayout({view: 'detail'})};
}

/** Returns the items of a conversation with everything that one can contain. */
function ownItems(): readonly Item[] {
	const make = createItems('s');
	const sent = make.sent();
	return [
		make.setup(),
		make.user('Summarise this:\n\tThe task.'),
		sent,
		make.reasoning('What matters?'),
		make.call('c', 'read_file', {path: 'a.ts'}),
		make.answered(sent, 'tool_calls'),
		make.result('c', '1 line', 'the body of a.ts'),
		make.assistant('An answer.'),
		make.end(),
	];
}

const parts = ['system prompt', 'The task.', 'What matters?', 'a.ts', 'the body of a.ts', 'An answer.'];

describe('the conversation of a compaction', () => {
	it('is loaded once, when the detail view shows the compaction, and shows all its parts', async () => {
		const make = createItems();
		const compacted = {...make.compaction('So far.'), conversation};
		const {look, asked, detail} = await looking([make.user('hi'), compacted], () => ({items: [...ownItems()]}));
		expect((await look()).join('\n')).toContain('So far.');
		expect(asked).toEqual([]);
		detail();
		const rows = await look();
		await look();
		expect(asked).toEqual([compacted.id]);
		const from = rows.findIndex(row => row.includes('The conversation in which the model wrote this summary:'));
		const shown = rows.slice(from + 1);
		for (const part of parts)
			expect(shown.filter(row => row.startsWith('  │ ') && row.includes(part))).not.toEqual([]);
		expect(rows.every(row => row.length <= size.columns)).toBe(true);
	});

	it('can be opened in a program as it is stored', async () => {
		const compacted = {...createItems().compaction('So far.'), conversation};
		const {look, store, detail} = await looking([compacted], () => ({items: [...ownItems()]}));
		detail();
		await look();
		const sources = blockSources(store.block(0)!, store.conversations.get(compacted.id));
		expect(sources.every(({id}) => id === compacted.id)).toBe(true);
		expect(sources.map(({text}) => text)).toEqual(
			expect.arrayContaining(['So far.', 'Summarise this:\n\tThe task.', 'the body of a.ts', '{"path":"a.ts"}']),
		);
	});

	it('is a sentence, made inert, if it cannot be read, and is asked for again after an error', async () => {
		const make = createItems();
		const [one, two] = [make.compaction('One.'), make.compaction('Two.')].map(item => ({...item, conversation}));
		let hasEnded = true;
		const {look, asked, detail} = await looking([one!, two!], id => {
			if (id === one!.id) return {sentence: 'It is \u001b[31mmissing.'};
			return hasEnded ? undefined : {items: [...ownItems()]};
		});
		detail();
		const rows = (await look()).join('\n');
		expect(rows).toMatch(/It is .*missing\./);
		expect(rows).not.toContain('\u001b');
		expect(rows).toContain('Loading the conversation in which the model wrote this summary…');
		hasEnded = false;
		await look();
		expect((await look()).join('\n')).toContain('An answer.');
		expect(asked.filter(id => id === one!.id)).toHaveLength(1);
	});

	it('is not asked for if the compaction names none', async () => {
		const {look, asked, detail} = await looking([createItems().compaction('So far.')], () => undefined);
		detail();
		expect((await look()).join('\n')).not.toContain('conversation');
		expect(asked).toEqual([]);
	});
});
