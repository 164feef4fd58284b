/** The error if the credentials in the user's file do not work. The message is a sentence that contains no secret. */
export class CredentialsRefused extends Error {
	constructor(sentence: string, cause?: unknown) {
		super(sentence, cause === undefined ? {} : {cause});
		this.name = 'CredentialsRefused';
	}
}
