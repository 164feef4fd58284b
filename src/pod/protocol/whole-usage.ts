import type {Usage} from '../../worker/index.ts';

/**
Returns the usage with the whole prompt as its `input`. If a server reports more cached tokens than input tokens, its
`input` does not include the cached tokens.
*/
export function wholeUsage(usage: Usage): Usage {
	const {input, cacheRead = 0, cacheWrite = 0} = usage;
	return input === undefined || cacheRead <= input ? usage : {...usage, input: input + cacheRead + cacheWrite};
}
