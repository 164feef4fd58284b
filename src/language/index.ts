export {chosenLanguage, language, languages, type Language} from './choose.ts';
export {en, enCount, type Tag} from './english.ts';
export {endSentence, t, tCount, translated} from './translate.ts';
