/**
The source of a regular expression for what diffs, searches, listings and quotations write before a line: its number,
its path and number, the sign of a diff, and indentation. It is bounded, and may be empty.
*/
export const lineStart =
	String.raw`(?:[^\s:]{1,300}[:-]\d{1,9}[:-](?:\d{1,9}:)?|[ \t]{0,12}\d{1,9}[ \t]?[:|→\t-])?` +
	String.raw`[ \t]?(?:[+\-<>|#*]|//){0,2}[ \t]{0,80}`;
