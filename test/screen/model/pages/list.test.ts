import * as fc from 'fast-check';
import {expect, it} from 'vitest';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {listStart, moveInList, withinList} from '../../../../src/screen/model/pages/list.ts';

const {keymap} = createKeymap({'page down': ['f4']});
const key = (name: string) => ({name, ctrl: false, alt: false, shift: false, super: false});
const names = ['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'f4'];
const seed = 20_261_121;

it(`the list keeps the chosen entry visible and fills all rows after any keys (seed ${seed})`, () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...names)),
			fc.nat(50),
			fc.integer({min: 1, max: 12}),
			(keys, count, room) => {
				let list = listStart;
				for (const name of keys) {
					list = moveInList(list, key(name), {keymap, count, room})!;
					expect(list.at).toBeGreaterThanOrEqual(0);
					expect(list.at).toBeLessThanOrEqual(Math.max(0, count - 1));
					expect(list.at - list.top).toBeGreaterThanOrEqual(0);
					expect(list.at - list.top).toBeLessThan(room);
					expect(list.top).toBeLessThanOrEqual(Math.max(0, count - room));
				}
			},
		),
		{seed},
	);
});

it('the list ignores other keys, and keeps its chosen entry when it becomes shorter', () => {
	expect(moveInList(listStart, key('tab'), {keymap, count: 3, room: 2})).toBeUndefined();
	expect(withinList({at: 40, top: 38}, 5, 3)).toEqual({at: 4, top: 2});
});
