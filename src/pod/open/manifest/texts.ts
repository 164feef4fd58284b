import {t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';

/** The texts that a user reads about a manifest. */
export const manifestTexts = {
	noStartDirectory: (path: string) =>
		t`Start directory ${quoteUntrusted(path)} does not exist or is not a directory.`,
	/** The end of a sentence about the key `scope.pwd`. */
	noPwd: (path: string) =>
		t`names ${quoteUntrusted(path.slice(0, maxPathShown))}, which does not exist or is not a directory.`,
	trustTitle: (file: string, grants: readonly string[]) =>
		t`Trust ${quoteUntrusted(file)}? It sets ${listOf(grants)}.`,
	ignored: (file: string, grants: readonly string[]) =>
		t`Ignored in ${quoteUntrusted(file)}: ${grants.join(', ')} (project not trusted).`,
	baseUrlIgnored: (file: string, keys: readonly string[]) =>
		t`Ignored in ${quoteUntrusted(file)}: ${keys.join(', ')}
			(base URLs come from the environment or your own config.toml).`,
	restartToApply: (file: string, grants: readonly string[]) =>
		t`Restart inkpod to apply ${listOf(grants)} from ${quoteUntrusted(file)}.`,
	widerPwd: t`a pwd outside of the start directory`,
	allowRules: t`allow rules`,
};

/** The maximum number of characters of a path that a sentence shows. */
const maxPathShown = 256;

function listOf(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
