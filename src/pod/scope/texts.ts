import {quoteUntrusted} from '../text/quote-untrusted.ts';
import type {ScopeFailure} from './scope.ts';

/** The texts that a user reads about the scope. The model also reads the texts of owners.ts. */
export const scopeTexts = {
	noDirectory: 'No directory given.',
	notAdded: (path: string, reason: ScopeFailure) =>
		`Cannot add directory ${quoteUntrusted(path)}: ${scopeFailures[reason]}.`,
};

const scopeFailures: Readonly<Record<ScopeFailure, string>> = {
	not_found: 'it does not exist',
	not_a_directory: 'it is not a directory',
	io: 'it cannot be read',
};
