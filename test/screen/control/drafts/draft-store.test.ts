import {describe, expect, it} from 'vitest';
import {createDraftSlot, type Kept} from '../../../../src/screen/control/drafts/draft-store.ts';
import {draftStore} from '../../../helpers/draft-store.ts';

const draft = (text: string, id?: string): Kept => ({
	sent: [],
	draft: text === '' ? [] : [{type: 'text', text}],
	...(id !== undefined && {draftId: id}),
});

/** Returns a store that records in order what is done with it. */
function recording(name: string, log: string[], found?: Kept) {
	const words = ({sent, draft: own}: Kept) => JSON.stringify([...sent.map(({segments}) => segments), own]);
	return draftStore({
		...(found !== undefined && {found: {kept: found, at: '2026-01-01T00:00:00.000Z'}}),
		claim: async () => void log.push(`${name} claim`),
		save: async kept => void log.push(`${name} save ${words(kept)}`),
		saveNow: kept => void log.push(`${name} now ${words(kept)}`),
		leave: kept => void log.push(`${name} leave ${words(kept)}`),
	});
}

const empty = '[[]]';
const typed = '[[{"type":"text","text":"typed"}]]';

describe('the place of a draft', () => {
	it('is its own before a session is open, and then that of the session', async () => {
		const log: string[] = [];
		const slot = createDraftSlot(async () => recording('early', log));
		slot.watch(() => draft('typed'));
		expect(slot.isOpen()).toBe(false);
		await Promise.all([slot.open(), slot.open()]);
		expect(slot.isOpen()).toBe(true);
		slot.saveNow();
		await slot.bind(recording('session', log));
		await slot.save();
		expect(log).toEqual([
			'early claim',
			`early now ${typed}`,
			'session claim',
			`session now ${typed}`,
			`early leave ${empty}`,
			'session claim',
			`session save ${typed}`,
		]);
	});

	it('is not created for an empty draft', async () => {
		const log: string[] = [];
		const slot = createDraftSlot(async () => recording('early', log));
		await slot.bind(recording('session', log));
		await slot.save();
		expect(log).toEqual([`session save ${empty}`]);
		expect(slot.isOpen()).toBe(false);
	});

	it('keeps the text of an earlier process until it is restored', async () => {
		const log: string[] = [];
		const slot = createDraftSlot();
		slot.watch(() => draft('typed'));
		await slot.bind(recording('session', log, draft('found', 'id')));
		log.length = 0;
		slot.saveNow();
		slot.restored();
		slot.saveNow();
		expect(log).toEqual([
			'session now [[{"type":"text","text":"found"}],[{"type":"text","text":"typed"}]]',
			`session now ${typed}`,
		]);
	});

	it('stays the early one when the screen closes before a session is open', async () => {
		const log: string[] = [];
		const slot = createDraftSlot(async () => recording('early', log));
		slot.watch(() => draft('typed'));
		await slot.open();
		slot.leave();
		await slot.bind(recording('session', log));
		expect(log).toEqual(['early claim', `early leave ${typed}`]);
	});
});
