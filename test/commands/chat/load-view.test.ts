import {describe, expect, it} from 'vitest';
import {viewKind} from '../../../src/commands/chat/load-view.ts';

describe('the kind of screen', () => {
	it.each([
		['full', {env: {}, configured: false}],
		['inline', {env: {}, configured: false, inline: true}],
		['spoken', {env: {}, configured: false, screenReader: true}],
		['spoken', {env: {}, configured: true}],
		['spoken', {env: {INK_SCREEN_READER: 'true'}, configured: false}],
		['spoken', {env: {}, configured: true, inline: true}],
		['full', {env: {INK_SCREEN_READER: 'false'}, configured: true}],
		['spoken', {env: {INK_SCREEN_READER: 'false'}, configured: true, screenReader: true}],
	] as const)('is %s for %j', (kind, wish) => {
		expect(viewKind(wish)).toBe(kind);
	});
});
