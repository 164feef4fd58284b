import {describe, expect, it} from 'vitest';
import {isNothing, joined, noUnsent} from '../../../../src/pod/disk/drafts/unsent.ts';

const text = (words: string) => [{type: 'text', text: words} as const];

describe('two drafts of a terminal', () => {
	it('are joined, the earlier messages first', () => {
		const earlier = {
			sent: [{id: 'a', segments: text('one')}],
			draft: text('two'),
			draftId: 'b',
			aside: [text('x')],
		};
		const later = {sent: [{segments: text('three')}], draft: text('four'), draftId: 'd', aside: [text('y')]};
		expect(joined(earlier, later)).toEqual({
			sent: [{id: 'a', segments: text('one')}, {id: 'b', segments: text('two')}, {segments: text('three')}],
			draft: text('four'),
			draftId: 'd',
			aside: [text('x'), text('y')],
		});
	});

	it('have a message once that both contain, as the later one has it', () => {
		const earlier = {sent: [{id: 'a', segments: text('on')}], draft: text('tw'), draftId: 'b'};
		const later = {sent: [{id: 'a', segments: text('one')}], draft: text('two'), draftId: 'b'};
		expect(joined(earlier, later)).toEqual(later);
	});
});

it('a draft that is only set aside is something', () => {
	expect([isNothing(noUnsent), isNothing({...noUnsent, aside: [text('x')]})]).toEqual([true, false]);
});
