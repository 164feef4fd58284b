/** A secret in a text. The characters from `start` to `end` are left out. */
export type Finding = {
	/** The kind of secret, as shown to the user. */
	readonly name: string;
	readonly start: number;
	readonly end: number;
	/** The secret itself, decoded. */
	readonly value: string;
	/** Other texts that reveal the secret, such as the lines of a private key, or the password in an encoded pair. */
	readonly also?: readonly string[];
};
