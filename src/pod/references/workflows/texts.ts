import {en, t} from '../../../language/index.ts';

/** The texts that a user reads about workflows. The model also reads sentences in other modules of this folder. */
export const workflowTexts = {
	skillIgnored: (file: string, problem: string) => t`Skill ${file} is ignored: ${problem}.`,
	replacesYours: (name: string, file: string, own: string) =>
		t`This project's ${name} (${file}) replaces your ${own} if it is trusted.`,
	documentNotUsed: (file: string, problem: string) => t`${file} is not used: ${problem}.`,
	folderUnreadable: (folder: string, why: FolderProblem) =>
		t`No documents read from ${folder}: ${folderProblems[why]}.`,
	entriesIgnored: (folder: string, used: number, total: number) =>
		t`Only ${used} of the ${total} entries in ${folder} are used.`,
	unknownKeys: (keys: readonly string[], more: number) =>
		t`its frontmatter has unknown keys: ${keys.join(', ')}${more > 0 ? t` and ${more} more` : ''}`,
	otherName: (name: string, folder: string) => t`its name is ${name}, but the name of its folder, ${folder}, is used`,
	notInvocableByUser: (file: string) => en`${file} sets user_invocable: false`,
	invalidSlug: t`its name is not a slug: lower-case letters, digits and single hyphens, up to 64 characters`,
	trustTitle: (slug: string, own: readonly string[], builtIn: readonly string[]) =>
		t`Trust this project's files for /${slug}? They replace ${[
			...(own.length === 0 ? [] : [t`your own ${own.join(', ')}`]),
			...(builtIn.length === 0 ? [] : [t`the built-in ${builtIn.join(', ')}`]),
		].join(t` and `)}.`,
	notTakenOver: (names: readonly string[]) =>
		t`inkpod uses only its text and $ARGUMENTS; these keys have no effect: ${names.join(', ')}`,
};

export type FolderProblem = 'out_of_scope' | 'not_a_directory' | 'io';

const folderProblems: Readonly<Record<FolderProblem, string>> = {
	out_of_scope: t`it is a link that leads outside the project`,
	not_a_directory: t`it is not a directory`,
	io: t`it cannot be read`,
};
