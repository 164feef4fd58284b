/** The texts that a user reads about workflows. The model also reads sentences in other modules of this folder. */
export const workflowTexts = {
	skillIgnored: (file: string, problem: string) => `Skill ${file} is ignored: ${problem}.`,
	replacesYours: (name: string, file: string, own: string) =>
		`This project's ${name} (${file}) replaces your ${own} once you trust it.`,
	documentNotUsed: (file: string, problem: string) => `${file} is not used: ${problem}.`,
	folderUnreadable: (folder: string, why: FolderProblem) =>
		`No documents read from ${folder}: ${folderProblems[why]}.`,
	entriesIgnored: (folder: string, used: number, total: number) =>
		`Only ${used} of the ${total} entries in ${folder} are used.`,
	unknownKeys: (keys: readonly string[], more: number) =>
		`its frontmatter has unknown keys: ${keys.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
	otherName: (name: string, folder: string) => `its name is ${name}, but the name of its folder, ${folder}, is used`,
	notInvocableByUser: (file: string) => `${file} sets user_invocable: false`,
	invalidSlug: 'its name is not a slug: lower-case letters, digits and single hyphens, up to 64 characters',
	trustTitle: (slug: string, own: readonly string[], builtIn: readonly string[]) =>
		`Trust this project's files for /${slug}? They replace ${[
			...(own.length === 0 ? [] : [`your own ${own.join(', ')}`]),
			...(builtIn.length === 0 ? [] : [`the built-in ${builtIn.join(', ')}`]),
		].join(' and ')}.`,
	notTakenOver: (names: readonly string[]) =>
		`only its text and $ARGUMENTS are used; without effect here: ${names.join(', ')}`,
};

export type FolderProblem = 'out_of_scope' | 'not_a_directory' | 'io';

const folderProblems: Readonly<Record<FolderProblem, string>> = {
	out_of_scope: 'it is a link that leads outside the project',
	not_a_directory: 'it is not a directory',
	io: 'it cannot be read',
};
