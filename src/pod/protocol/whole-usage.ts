import type {Usage} from '../../worker/index.ts';

/**
Returns the usage with the whole prompt as its `input`. More cached tokens than input mean that the server left the
cached ones out.
*/
export function wholeUsage(usage: Usage): Usage {
	const {input, cacheRead = 0, cacheWrite = 0} = usage;
	return input === undefined || cacheRead <= input ? usage : {...usage, input: input + cacheRead + cacheWrite};
}
