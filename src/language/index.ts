export {chosenLanguage, language, languages, type Language} from './choose.ts';
export {endSentence, t, tCount, translated} from './translate.ts';
