import {t} from '../../language/index.ts';

/** The texts of `inkpod blame` and `inkpod commit-trailer`. */
export const blameTexts = {
	linesMissing: (file: string, count: number) => t`${file} has only ${count} lines.`,
	/** What a line shows in place of a session. */
	unknown: t`unknown`,
	orOthers: (count: number) => t`or ${count} more`,
	noHead: (id: string) => t`Session ${id} has no items yet.`,
};
