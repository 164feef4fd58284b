import {t} from '../../../language/index.ts';

export const blameTexts = {
	noRepository: (file: string) => t`${file} is not in a git repository.`,
	noCommit: (revision: string) => t`There is no commit "${revision}".`,
	notInCommit: (path: string, revision: string) => t`${path} is not in commit "${revision}".`,
	notText: (file: string) => t`${file} is not a UTF-8 text file.`,
	unreadable: (file: string) => t`Cannot read ${file}.`,
};
