/** An error of a connection, while places with certificates could not be used. The message has a sentence for each. */
export class IgnoredPlaces extends Error {
	constructor(sentences: readonly string[], cause: unknown) {
		super(sentences.join(' '), {cause});
		this.name = 'IgnoredPlaces';
	}
}
