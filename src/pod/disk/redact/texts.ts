import {t} from '../../../language/index.ts';

export const redactTexts = {
	damaged: (path: string) =>
		t`${path} is damaged, so nothing can be removed from it. Make an intact copy with inkpod repair, remove the text
			from the copy, and delete this session.`,
	torn: (path: string) => t`${path} has an unfinished end. Open the session once with inkpod -r, then try again.`,
	tooLarge: (path: string) => t`${path} is too large and was not searched.`,
	draftOpen: (path: string) => t`${path} belongs to an open terminal and was not changed.`,
	skipped: (id: string, why: string) => t`Session ${id} was not changed: ${why}`,
	noItem: (id: string) => t`The session has no item ${id} with a text.`,
	slowPattern: (seconds: number) =>
		t`The pattern needs more than ${seconds} seconds on one text. Nothing was changed. Use a simpler pattern.`,
	manyMatches: (count: number) =>
		t`The pattern matches more than ${count} different texts. Nothing was changed. Use a narrower pattern.`,
	badPattern: (message: string) => t`The pattern is not a valid regular expression: ${message}`,
};
