import {describe, expect, it} from 'vitest';
import {createReading} from '../../../../src/screen/view/spoken/reading.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, idle, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();
const body = Array.from({length: 12}, (_, line) => `line ${line + 1}`).join('\n');

/** A session for a screen reader. `heard` returns what it reads next. */
async function stage() {
	const items = [
		make.user('one'),
		make.call('1', 'write_file', {path: 'a.ts', content: body}),
		make.result('1', '12 lines', body),
		make.assistant('Answer one.'),
		make.user('two'),
		make.call('2', 'read_file', {path: 'b.ts'}),
		make.result('2', '12 lines', body),
		make.assistant('Answer two.'),
		make.end(),
	];
	const made = await fakeApp(fakePod(idle, items), {isSpoken: true});
	const reading = createReading();
	const heard = () =>
		reading
			.next({state: made.app.state, welcome: []})
			.map(entry => ('text' in entry ? entry.text : entry.rows.map(({row}) => plainText(row).trim()).join('|')));
	heard();
	const alt = (name: string) => {
		made.press(name, {alt: true});
		return heard();
	};
	return {...made, alt, heard};
}

describe('Alt+Up and Alt+Down for a screen reader', () => {
	it('read earlier and later turns again, and say where they end', async () => {
		const {alt} = await stage();
		expect(alt('up').map(text => text.split('|')[0])).toEqual([
			'▌ two',
			'● Read b.ts · 12 lines',
			'Answer two.',
			'finished',
		]);
		expect(alt('up')[0]).toBe('▌ one');
		expect(alt('up')).toEqual(['Note: This is your first message.']);
		expect(alt('down')[0]).toBe('▌ two');
		expect(alt('down')).toEqual(['Note: You have no later message.']);
	});

	it('begin at the end again when something new has come', async () => {
		const {alt, commit, heard} = await stage();
		alt('up');
		alt('up');
		commit(make.user('three'));
		heard();
		expect(alt('up')).toEqual(['▌ three']);
	});
});

describe('keys for what only a screen has', () => {
	it('say so to a screen reader', async () => {
		const {press, alt, heard} = await stage();
		press('pageup');
		expect(heard()).toEqual(['Note: These lines do not scroll. Press Alt+↑ to read earlier turns again.']);
		expect(alt('s')).toEqual(['Note: Diffs side by side are only on the screen.']);
	});
});

describe('Alt+O for a screen reader', () => {
	it('reads the nearest shortened block as a whole, then the one before it', async () => {
		const {alt} = await stage();
		const [first] = alt('o');
		expect(first).toMatch(/^● Read b\.ts · 12 lines\|.*line 1\|.*line 12$/);
		const [second, ...more] = alt('o');
		expect(second).toMatch(/^● Write a\.ts .*line 12$/);
		expect(more).toEqual([]);
	});

	it('reads the block with the current match of a search', async () => {
		const {app, alt, press, type, heard} = await stage();
		press('f3');
		type('one');
		press('enter');
		await until(() => app.state.search.open?.current !== undefined);
		press('n', {text: 'n'});
		heard();
		expect(alt('o')[0]).toMatch(/^(?:▌ one|Answer one\.)$/);
	});

	it('says when no block is shortened', async () => {
		const {app, alt} = await stage();
		app.state.transcript.store!.setLayout({view: 'detail'});
		expect(alt('o')).toEqual(['Note: No block above is collapsed.']);
	});
});
