import {describe, expect, it} from 'vitest';
import {cacheLifetime} from '../../../../src/pod/context/compaction/automatic.ts';

describe('cacheLifetime', () => {
	it('is five minutes for a provider that is not in the table, and longer where the provider says so', () => {
		expect(cacheLifetime('scripted')).toBe(300_000);
		expect(cacheLifetime('anthropic/claude')).toBe(300_000);
		expect(cacheLifetime('openai/gpt')).toBe(3_600_000);
		expect(cacheLifetime('deepseek/chat')).toBe(86_400_000);
	});
});
