/**
The members of a character class, for regular expressions with the flag `u`: the characters that a model reads and a
terminal does not draw. These are format characters (zero width, direction, tags), line and paragraph separators, all
characters that Unicode lets a program ignore (selectors, fillers), noncharacters, and blank signs that are not spaces.
*/
export const invisibleClass = [
	String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`,
	String.raw`\u2800\u{1d159}\u{16fe4}`,
].join('');
