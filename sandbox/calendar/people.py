"""The people of the team."""

from dataclasses import dataclass

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a calendar."""

    id: str
    name: str
    email: str

    def document(self) -> Json:
        """Return the person in the calendar's form."""
        return {"id": self.id, "name": self.name, "email": self.email}


AVIAD = Person("per_aviad", "Aviad", "aviad@team.example")
DANA_LEVI = Person("per_danalevi", "Dana Levi", "dana.levi@team.example")
DANA_COHEN = Person("per_danacohen", "Dana Cohen", "dana.cohen@team.example")
MARCO = Person("per_marco", "Marco Bianchi", "marco.bianchi@team.example")
PRIYA = Person("per_priya", "Priya Raman", "priya.raman@team.example")
PEOPLE = (AVIAD, DANA_LEVI, DANA_COHEN, MARCO, PRIYA)
BY_ID = {person.id: person for person in PEOPLE}
