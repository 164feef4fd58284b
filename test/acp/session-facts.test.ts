import {expect, it} from 'vitest';
import {createSessionFacts} from '../../src/acp/session-facts.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {createItems} from '../helpers/items.ts';

it('an editor learns the title of a session: its first message, until the user renames it', () => {
	const titles: unknown[] = [];
	const facts = createSessionFacts(update => {
		if (update.sessionUpdate === 'session_info_update') titles.push(update.title);
	});
	const tell = (item: Item) => facts.event({type: 'item', item});
	const make = createItems();
	const title = (text: string): Item => ({id: text, at: '', type: 'title', title: text});
	tell(make.user('\n\u001b[2Jfix the cart\nand more'));
	tell(make.user('now the tax'));
	tell(title('Cart'));
	tell(make.user('bye'));
	tell(title(''));
	expect(titles).toEqual(['[2Jfix the cart', 'Cart', '[2Jfix the cart']);
});
