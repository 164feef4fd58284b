import {describe, expect, it} from 'vitest';
import {isStill, viewKind} from '../../../src/cli/chat/load-view.ts';

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
		['spoken', {env: {TERM: 'dumb', INK_SCREEN_READER: 'false'}, configured: false, inline: true}],
	] as const)('is %s for %j', (kind, wish) => {
		expect(viewKind(wish)).toBe(kind);
	});
});

describe('the sign of a running turn', () => {
	it.each([
		[false, {env: {}, configured: false}],
		[true, {env: {}, configured: true}],
		[true, {env: {INKPOD_REDUCED_MOTION: '1'}, configured: false}],
		[true, {env: {INKPOD_REDUCED_MOTION: 'true'}, configured: false}],
		[false, {env: {INKPOD_REDUCED_MOTION: '0'}, configured: true}],
		[false, {env: {INKPOD_REDUCED_MOTION: 'False'}, configured: true}],
		[true, {env: {INKPOD_REDUCED_MOTION: ''}, configured: true}],
	])('keeps still: %s, for %j', (still, wish) => {
		expect(isStill(wish)).toBe(still);
	});
});
