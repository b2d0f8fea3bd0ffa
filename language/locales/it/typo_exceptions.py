"""Ordinary Italian words and names that lie one letter away from the name of a day, a month or a part of the day."""

NO_SLIPS = (
    "salato sanato sbato sbatto sabata sabati sabat sabbat sabaton dominica domenico domenici domenic gennaro genaro "
    "maggior maggie maggi maggia moggio mangio muggio meggio maglio loglio laglio lugli giungo grugno agosta agosti "
    "angosto domandi domini domati domain domano domane doman demani damani martina mattine mattini mattana mattia "
    "mattinai mattonata settembri novembri ottobri stadera statera pomeriggi veneri"
)
