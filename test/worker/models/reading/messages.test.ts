import {describe, expect, it} from 'vitest';
import {messagesCorpus} from './corpus-native/messages-corpus.ts';
import {answerTo, expectedOf, framed, seenIn} from './played-native.ts';

describe('the Messages API', () => {
	it.each(messagesCorpus)('is read with $name', async stream => {
		const {errorText: _, ...seen} = seenIn(await answerTo('anthropic', framed(stream)));
		expect(seen).toEqual(expectedOf(stream));
	});
});
