/** A secret in a text. The offsets are those of the characters that are left out. */
export type Finding = {
	/** Names the kind for people. */
	readonly name: string;
	readonly start: number;
	readonly end: number;
	/** The secret itself, decoded. */
	readonly value: string;
	/** Other texts that tell the secret, such as the lines of a private key, or the password in an encoded pair. */
	readonly also?: readonly string[];
};
