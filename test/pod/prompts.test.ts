import {expect, test} from 'vitest';
import {systemPrompt} from '../../src/pod/prompts.ts';

const scope = {pwd: '/p', writable: true, readRoots: []};

test('folders that may be read too, named to the model', () => {
	expect(systemPrompt({...scope, readRoots: ['/lib', '/docs']})).toContain('files below /lib, /docs; name them by absolute paths.');
});

test('no such folders, not a word about them', () => {
	expect(systemPrompt(scope)).not.toContain('also read');
});
